import { sql } from "kysely";
import type { Selectable } from "kysely";
import { capacityRules } from "@arcada/contract/capacity/capacity.rules";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse, refuseAndKeep } from "../platform/http/refuse.ts";
import type { CapacityCardTable } from "../tables/schema.generated.ts";
import { noticeAtStart } from "./due-expiry-notice.ts";
import { publishCapacityTransition } from "./capacity.notify.ts";
import { hashCardSecret, normaliseNumber } from "./card-number-and-secret.ts";
import type { Row } from "../tables/row.ts";

type CardRow = Selectable<CapacityCardTable> & { late: boolean };

/**
 * C2: turns a card into a period of the clinic that presents its secret; returns the period's id. Of parallel attempts
 * only one succeeds.
 */
export async function activateCard(
  { db, principal, address }: MemberContext,
  { cardNumber, secret }: Parsed<typeof capacityCalls.activate>,
): Promise<string> {
  const { row, period, until } = await bypassTenantScope(db, async () => {
    const card = await requireCard(db, principal.uid, normaliseNumber(cardNumber), secret);
    if (card.state === "void") return refuse("capacityCardVoid", { cardNumber: "capacityCardVoid" });
    if (card.state !== "issued") return refuse("capacityCardUsed", { cardNumber: "capacityCardUsed" });
    if (card.late) return refuse("capacityCardLate", { cardNumber: "capacityCardLate" });
    return { row: card, ...(await startPeriod(db, card, { iid: principal.iid, uid: principal.uid })) };
  });
  await publishCapacityTransition(
    db,
    { institution: principal.iid, action: "activate", subject: period, by: { uid: principal.uid, address } },
    { what: "begun", gigabytes: row.gigabytes, analyses: row.analyses, until },
  );
  return period;
}

/** Returns the card of this secret, locked. A wrong secret is counted for the account, and the count stays. */
async function requireCard(db: Db, uid: string, number: string, secret: string): Promise<CardRow> {
  await requireAttemptsLeft(db, uid);
  const card = await db
    .selectFrom("capacity_card")
    .selectAll()
    .select(sql<boolean>`sell_by <= now()`.as("late"))
    .where("number", "=", number)
    .forUpdate()
    .executeTakeFirst();
  // Also computed if there is no card: the time of the response must not reveal which numbers exist.
  const hash = hashCardSecret(number, secret);
  if (card?.secret_hash === hash) return card;
  await db.insertInto("capacity_try").values({ user_id: uid }).execute();
  return refuseAndKeep("capacityCardWrong", { secret: "capacityCardWrong" });
}

/** Serialises the attempts of one account; the more there were, the longer it has to wait. */
async function requireAttemptsLeft(db: Db, uid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`capacity.try ${uid}`}, 0))`.execute(db);
  const rows = await db
    .selectFrom("capacity_try")
    .select(sql<number>`extract(epoch from now() - at) / 60`.as("minutes"))
    .where("user_id", "=", uid)
    .where(sql<boolean>`at > now() - interval '1 day'`)
    .execute();
  for (const { minutes, maxAttempts: attempts } of capacityRules.tryWindows.toReversed())
    if (rows.filter((row) => row.minutes < minutes).length >= attempts)
      refuse("capacityTooManyTries", { cardNumber: "capacityTooManyTries", minutes: String(minutes) });
}

async function startPeriod(db: Db, card: CardRow, { iid, uid }: { iid: string; uid: string }) {
  const period = newId();
  await sql`update capacity_card set state = 'in_effect', institution_id = ${iid} where id = ${card.id} and state = 'issued'`.execute(
    db,
  );
  const { rows } = await sql<
    Row<"capacity_period", "expires_at">
  >`insert into capacity_period (institution_id, id, card_id, gigabytes, analyses,
      days, state, auto_renew, made_by, activated_at, starts_at, expires_at, told_days)
    values (${iid}, ${period}, ${card.id}, ${card.gigabytes}, ${card.analyses}, ${card.days}, 'in_effect', false, ${uid}, now(),
      now(), now() + make_interval(secs => ${card.days} * 86400.0), ${noticeAtStart(card.days)}) returning expires_at`.execute(
    db,
  );
  return { period, until: rows[0]!.expires_at };
}
