import { sql } from "kysely";
import type { Database, Db } from "../platform/database/database.ts";
import { demoAccounts } from "../domain/demo-accounts.ts";
import { endSessions } from "./session.ts";
import { passwordFits } from "./password.ts";

/**
 * Suspends the accounts that an earlier demonstration left in this database with the publicly known password, and ends
 * their sessions. An account whose owner chose another password belongs to the owner and stays. Returns the suspended
 * accounts.
 */
export async function closeDemoAccounts(database: Database): Promise<string[]> {
  const known = await withKnownPassword(database, false);
  if (known.length === 0) return [];
  await database.asSystem(async (db) => {
    await sql`update users set suspended_at = now() where id = any(${known.map(({ id }) => id)}::uuid[])`.execute(db);
    for (const { id } of known) await endSessions(db, { uid: id }, "demo");
  });
  return known.map(({ account }) => account);
}

/** Reopens these accounts for a demonstration. */
export async function reopenDemoAccounts(database: Database): Promise<void> {
  const ids = (await withKnownPassword(database, true)).map(({ id }) => id);
  if (ids.length === 0) return;
  await database.asSystem((db) => sql`update users set suspended_at = null where id = any(${ids}::uuid[])`.execute(db));
}

interface Known {
  id: string;
  account: string;
  hash: string;
}

async function withKnownPassword(database: Database, suspended: boolean): Promise<Known[]> {
  const found = await database.asSystem((db) => planted(db, suspended));
  // Accounts that were seeded together share one hash, and comparing it takes a fifth of a second.
  const fits = new Map<string, boolean>();
  for (const { hash } of found) if (!fits.has(hash)) fits.set(hash, await passwordFits(demoAccounts.password, hash));
  return found.filter(({ hash }) => fits.get(hash));
}

const planted = async (db: Db, suspended: boolean): Promise<Known[]> => {
  const addresses = demoAccounts.accounts.map(({ account }) => account);
  const { rows } = await sql<Known>`select u.id, c.value as account, u.password_hash as hash
    from users u join contact c on c.user_id = u.id and c.kind = 'email'
    where c.value = any(${addresses}::text[]) and u.password_hash is not null
      and (u.suspended_at is not null) = ${suspended} order by c.value`.execute(db);
  return rows;
};
