import { sql } from "kysely";
import type { Database, Db } from "../kernel/db.ts";
import { demoAccounts } from "../kernel/demo.ts";
import { endSessions } from "./session.ts";
import { passwordFits } from "./password.ts";

/**
 * Suspends what accounts an earlier demonstration left in this database with the password that everybody knows, and ends
 * their sessions. An account whose owner chose another password is theirs and stays. Answers the accounts suspended.
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

/** Opens them again for a demonstration. */
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
  // Accounts planted together share one hash, which takes a fifth of a second to compare.
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
