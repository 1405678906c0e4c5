import { sql } from "kysely";
import type { Database, Db } from "../platform/database/database.ts";
import { demoAccounts } from "../domain/demo-accounts.ts";
import { endSessions } from "./session/session.ts";
import { verifyPassword } from "./password/password-hash.ts";
import type { Column, Row } from "../tables/row.ts";

/**
 * Suspends the accounts that an earlier demonstration left in this database with the publicly known password, and ends
 * their sessions. An account whose owner chose another password belongs to the owner and stays. Returns the suspended
 * accounts.
 */
export async function closeDemoAccounts(database: Database): Promise<string[]> {
  const known = await findWithKnownPassword(database, false);
  if (known.length === 0) return [];
  await database.asSystem(async (db) => {
    await sql`update users set suspended_at = now() where id = any(${known.map(({ id }) => id)}::uuid[])`.execute(db);
    for (const { id } of known) await endSessions(db, { uid: id }, "demo");
  });
  return known.map(({ account }) => account);
}

/** Reopens these accounts for a demonstration. */
export async function reopenDemoAccounts(database: Database): Promise<void> {
  const ids = (await findWithKnownPassword(database, true)).map(({ id }) => id);
  if (ids.length === 0) return;
  await database.asSystem((db) => sql`update users set suspended_at = null where id = any(${ids}::uuid[])`.execute(db));
}

type SeededAccount = Row<"users", "id"> & {
  account: Column<"contact", "value">;
  hash: NonNullable<Column<"users", "password_hash">>;
};

async function findWithKnownPassword(database: Database, suspended: boolean): Promise<SeededAccount[]> {
  const found = await database.asSystem((db) => findSeededAccounts(db, suspended));
  // Accounts that were seeded together share one hash, and one comparison lasts a fifth of a second.
  const matches = new Map<string, boolean>();
  for (const { hash } of found)
    if (!matches.has(hash)) matches.set(hash, await verifyPassword(demoAccounts.password, hash));
  return found.filter(({ hash }) => matches.get(hash));
}

const findSeededAccounts = async (db: Db, suspended: boolean): Promise<SeededAccount[]> => {
  const addresses = demoAccounts.accounts.map(({ account }) => account);
  const { rows } = await sql<SeededAccount>`select u.id, c.value as account, u.password_hash as hash
    from users u join contact c on c.user_id = u.id and c.kind = 'email'
    where c.value = any(${addresses}::text[]) and u.password_hash is not null
      and (u.suspended_at is not null) = ${suspended} order by c.value`.execute(db);
  return rows;
};
