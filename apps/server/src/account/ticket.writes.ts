import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { newSecret, secretHash } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";

/** Makes a single-use secret for `data`; the database keeps its hash. */
export async function issueTicket(
  db: Db,
  kind: string,
  target: string,
  data: Record<string, unknown>,
  seconds: number,
  secret = newSecret(),
): Promise<string> {
  await sql`insert into ticket (hash, kind, target, data, expires_at) values (${secretHash(secret)}, ${kind}, ${target},
    ${JSON.stringify(data)}, now() + make_interval(secs => ${seconds}))`.execute(db);
  return secret;
}
/** Redeems a ticket; null if it is unknown, of another kind, used or too old. */
export const redeemTicket = (db: Db, kind: string, secret: string) =>
  db
    .updateTable("ticket")
    .set({ used_at: sql`now()` })
    .where("hash", "=", secretHash(secret))
    .where("kind", "=", kind)
    .where("used_at", "is", null)
    .where("expires_at", ">", sql<string>`now()`)
    .returning(["target", "data"])
    .executeTakeFirst();

/** Deletes the content of a redeemed ticket at once, where it names a person; the row is deleted with the others. */
export const forgetTicketData = (db: Db, secret: string) =>
  db.updateTable("ticket").set({ data: {} }).where("hash", "=", secretHash(secret)).execute();

/** Returns a ticket that can be redeemed, without redeeming it. */
export const findTicket = (db: Db, kind: string, secret: string) =>
  db
    .selectFrom("ticket")
    .select(["target", "data"])
    .where("hash", "=", secretHash(secret))
    .where("kind", "=", kind)
    .where("used_at", "is", null)
    .where("expires_at", ">", sql<string>`now()`)
    .executeTakeFirst();

/** Refuses a secret that cannot be redeemed, before slow work is done for its bearer. */
export async function requireTicket(db: Db, kind: string, secret: string): Promise<void> {
  if (!(await findTicket(db, kind, secret))) refuse("ticketSpent");
}

/** True for the first call with this hash: a proof that was presented once cannot be presented again. */
export async function spendOnce(db: Db, once: { kind: string; hash: string; seconds: number }): Promise<boolean> {
  const inserted = await sql`insert into ticket (hash, kind, target, expires_at, used_at)
    values (${once.hash}, ${once.kind}, '', now() + make_interval(secs => ${once.seconds}), now()) on conflict do nothing`.execute(
    db,
  );
  return inserted.numAffectedRows === 1n;
}
