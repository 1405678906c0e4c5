import { sql } from "kysely";
import { roles } from "@arcada/contract/kernel/roles";
import { findPlan } from "@arcada/contract/capacity/capacity.rules";
import { hashCardSecret } from "../apps/server/src/capacity/card-number-and-secret.ts";
import type { Database, Db } from "../apps/server/src/platform/database/database.ts";
import { newId } from "../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { demoInstitutions } from "./create-institutions.ts";

const batch = "0199a000-0000-7000-8000-00000000c001";
const cards = [
  // Visitors of the demo may activate these.
  { number: "202600000001", secret: "DEMO0000CARD0001", state: "issued" },
  { number: "202600000002", secret: "DEMO0000CARD0002", state: "issued" },
  { number: "202600000003", secret: "DEMO0000CARD0003", state: "expired" },
  { number: "202600000004", secret: "DEMO0000CARD0004", state: "void" },
] as const;
const worth = { gigabytes: 100, analyses: 200, days: 365 } as const;
const plan = findPlan("small-year")!;

/** Seeds cards in all states, a card and a subscription of the clinic, and a pending request; once. */
export async function seedCapacity(database: Database): Promise<void> {
  await database.asSystem(async (db) => {
    const known = await db.selectFrom("capacity_card").select("id").where("batch_id", "=", batch).executeTakeFirst();
    if (known) return;
    const clinic = await db
      .selectFrom("institution")
      .select("id")
      .where("number", "=", demoInstitutions.clinic.number)
      .executeTakeFirstOrThrow();
    const { user_id: operator } = await db
      .selectFrom("membership")
      .select("user_id")
      .where("authority_id", "=", roles.operator.authorityId)
      .executeTakeFirstOrThrow();
    for (const card of cards) await seedCard(db, card, { clinic: clinic.id, operator });
    await seedSubscription(db, clinic.id);
    // Visitors of the demo may try an engine pack there. Other institutions must ask the operator.
    await db
      .insertInto("engine_pack_permission")
      .values({ institution_id: clinic.id, allowed_by: operator })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // The operator of the demo has switched the tooth finder on for its clinic.
    await db
      .insertInto("engine_included")
      .values({ engine_id: "arcada.teeth", institution_id: clinic.id, switched_by: operator })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

async function seedCard(
  db: Db,
  { number, secret, state }: (typeof cards)[number],
  { clinic, operator }: { clinic: string; operator: string },
): Promise<void> {
  const id = newId();
  const isUsed = state === "expired";
  await sql`insert into capacity_card (id, number, secret_hash, batch_id, gigabytes, analyses, days, sell_by, state, issued_by,
      issued_at, institution_id, voided_by, voided_at, void_reason)
    values (${id}, ${number}, ${hashCardSecret(number, secret)}, ${batch}, ${worth.gigabytes}, ${worth.analyses}, ${worth.days},
      now() + interval '2 years', ${state}, ${operator}, now() - interval '500 days', ${isUsed ? clinic : null},
      ${state === "void" ? operator : null}, ${state === "void" ? sql`now()` : null}, ${state === "void" ? "遗失 Lost" : null})`.execute(
    db,
  );
  if (!isUsed) return;
  await sql`insert into capacity_period (institution_id, id, card_id, gigabytes, analyses, days, state, auto_renew, activated_at,
      subscribed_at, starts_at, expires_at, expired_at, told_days)
    values (${clinic}, ${newId()}, ${id}, ${worth.gigabytes}, ${worth.analyses}, ${worth.days}, 'expired', false, now() - interval '400 days',
      now() - interval '400 days', now() - interval '400 days', now() - interval '35 days', now() - interval '35 days', 1)`.execute(
    db,
  );
}

const seedSubscription = async (db: Db, clinic: string): Promise<void> => {
  await sql`insert into capacity_period (institution_id, id, plan, gigabytes, analyses, days, state, auto_renew, activated_at,
      subscribed_at, starts_at, expires_at)
    values (${clinic}, ${newId()}, ${plan.id}, ${plan.gigabytes}, ${plan.analyses}, ${plan.days}, 'in_effect', true,
      now() - interval '100 days', now() - interval '100 days', now() - interval '100 days', now() + interval '265 days')`.execute(
    db,
  );
  await sql`insert into capacity_payment (institution_id, id, kind, plan) values (${clinic}, ${newId()}, 'subscribe', 'middle-month')`.execute(
    db,
  );
};
