import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import type { Db } from "../../platform/database/database.ts";
import { limitedAddress } from "../../platform/security/address-for-limits.ts";

/** Serialises the attempts: guesses sent at once would all find the same few failures. */
export const lockAttempts = (db: Db, target: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`password ${target}`}, 0))`.execute(db);
/**
 * Counts the failures since the window began: of this account, of this address, and of this account within the hour.
 */
export async function countFailures(db: Db, target: string, from: string) {
  const address = limitedAddress(from);
  const count = (condition: RawBuilder<boolean>) => sql<number>`count(*) filter (where ${condition})::int`;
  const isInWindow = sql`at > now() - make_interval(secs => ${accountRules.failuresWindow})`;
  return db
    .selectFrom("login_failure")
    .select([
      count(sql`target = ${target} and ${isInWindow}`).as("account"),
      count(sql`address = ${address} and ${isInWindow}`).as("address"),
      count(sql`target = ${target}`).as("hour"),
    ])
    .where(sql<boolean>`(target = ${target} or address = ${address}) and at > now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
}
export async function insertFailure(db: Db, target: string, address: string): Promise<number> {
  const made = db
    .insertInto("login_failure")
    .values({ target, address: limitedAddress(address) })
    .returning("id");
  return (await made.executeTakeFirstOrThrow()).id;
}
export const deleteFailure = (db: Db, id: number) => db.deleteFrom("login_failure").where("id", "=", id).execute();
export const deleteFailures = (db: Db, target: string, address?: string) =>
  sql`delete from login_failure where target = ${target}
    and (${address ?? null}::text is null or address = ${address === undefined ? null : limitedAddress(address)})`.execute(
    db,
  );
