import { sql } from "kysely";
import type { Output, Parsed } from "@arcada/contract/kernel/call";
import type { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { dayMs } from "./due-expiry-notice.ts";
import { hashCardSecret, createCard } from "./card-number-and-secret.ts";
import type { NewCard } from "./card-number-and-secret.ts";

type IssueInput = Parsed<typeof capacityCalls.issue>;

/** C1. The response holds the secrets, the database only their hashes. */
export async function issueCards(
  request: IssueInput,
  { db, principal, address, now }: MemberContext,
): Promise<Output<typeof capacityCalls.issue>> {
  if (request.gigabytes === 0 && request.analyses === 0) refuse("capacityEmpty", { gigabytes: "capacityEmpty" });
  // The card is sold until the end of that day.
  const sellBy = new Date(Date.parse(request.sellBy) + dayMs);
  if (sellBy <= now) refuse("capacitySellBy", { sellBy: "capacitySellBy" });
  const cards = createDistinctCards(request.count);
  const batch = newId();
  await bypassTenantScope(db, async () => {
    await insertCards(db, { ...request, batch, uid: principal.uid, sellBy }, cards);
    await audit(db, {
      institution_id: null,
      user_id: principal.uid,
      action: "capacity.issue",
      subject: batch,
      detail: { count: request.count, gigabytes: request.gigabytes, analyses: request.analyses, days: request.days },
      address,
    });
  });
  return { batch, sellBy: sellBy.toISOString(), cards };
}

function createDistinctCards(count: number): NewCard[] {
  const cards = new Map<string, NewCard>();
  while (cards.size < count) {
    const card = createCard();
    cards.set(card.number, card);
  }
  return [...cards.values()];
}

interface CardBatch extends Omit<IssueInput, "sellBy"> {
  batch: string;
  uid: string;
  sellBy: Date;
}
const insertCards = (db: Db, { batch, uid, sellBy, gigabytes, analyses, days }: CardBatch, cards: readonly NewCard[]) =>
  sql`insert into capacity_card (id, number, secret_hash, batch_id, gigabytes, analyses, days, sell_by, issued_by)
    select id, number, hash, ${batch}, ${gigabytes}, ${analyses}, ${days}, ${sellBy}, ${uid}
    from unnest(${cards.map(() => newId())}::uuid[], ${cards.map(({ number }) => number)}::text[],
      ${cards.map(({ number, secret }) => hashCardSecret(number, secret))}::text[]) as made (id, number, hash)`.execute(
    db,
  );

/** C10: nobody can activate the card any more. */
export async function voidCard({ db, principal, address }: MemberContext, id: string, reason: string): Promise<null> {
  await bypassTenantScope(db, async () => {
    const { numAffectedRows } =
      await sql`update capacity_card set state = 'void', voided_at = now(), voided_by = ${principal.uid},
      void_reason = ${reason} where id = ${id} and state = 'issued'`.execute(db);
    if (numAffectedRows === 0n) {
      const known = await db.selectFrom("capacity_card").select("id").where("id", "=", id).executeTakeFirst();
      return refuse(known ? "capacityActionNotAllowed" : "notFound");
    }
    await audit(db, { institution_id: null, user_id: principal.uid, action: "capacity.void", subject: id, address });
  });
  return null;
}
