import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Language } from "@arcada/contract/kernel/languages";
import type { Db } from "../platform/database/database.ts";

/** Inserts the user in whose name a device or an API key acts: without a password, nobody can sign in as it. */
export const insertTechnicalUser = (db: Db, id: string, name: string) =>
  db.insertInto("users").values({ id, nick_name: name }).execute();

/** Gives such a user another name, which is shown beside what it did. */
export const renameTechnicalUser = (db: Db, id: string, name: string) =>
  db.updateTable("users").set({ nick_name: name }).where("id", "=", id).execute();

/**
 * Inserts accounts without a password; an account that exists is never changed.
 * @param accounts a query of id, user name, nick name and language
 */
export const insertUsersWithoutPassword = (db: Db, accounts: RawBuilder<unknown>) =>
  sql`insert into users (id, user_name, nick_name, language) ${accounts} on conflict (id) do nothing`.execute(db);

/**
 * Adds one address for each user, the e-mail before the phone: its owner sets the password with it. With two addresses,
 * the author of an archive could add an address of their own to another person's account. Only for accounts that nobody
 * can sign in to yet: such an account is founded with this address, so the address may set the password at once
 * (decision 69).
 * @param addresses a query of user_id, kind, value and country_code
 */
export const insertFirstContacts = (db: Db, addresses: RawBuilder<unknown>) =>
  sql`insert into contact (user_id, kind, value, country_code, verified_at)
    select distinct on (r.user_id) r.user_id, r.kind, r.value, r.country_code, u.created_at
    from (${addresses}) r join users u on u.id = r.user_id
    where u.password_hash is null
      and (case r.kind when 'email' then r.value ~ '^[^[:space:]@]+@[^[:space:]@]+[.][^[:space:]@]+$' and r.value = lower(r.value) else r.value ~ '^[+][0-9]{5,20}$' end)
      and not exists (select from contact own where own.user_id = r.user_id)
      and not exists (select from membership m where m.user_id = r.user_id)
      and not exists (select from session s where s.user_id = r.user_id)
    order by r.user_id, r.kind, r.value on conflict do nothing`.execute(db);

/**
 * Inserts an account for an address that nobody has yet. It has no password, so that only the owner of the address, or
 * an identity provider that has verified it, can sign in to it. Returns null if the address has an account.
 */
export async function insertAccountForAddress(
  db: Db,
  { id, email, name, language }: { id: string; email: string; name: string; language: Language },
): Promise<string | null> {
  // At the first sign-in the person completes the account.
  await db.insertInto("users").values({ id, nick_name: name, user_name: name, language, init_status: 1 }).execute();
  const contact = await db
    .insertInto("contact")
    .values({ user_id: id, kind: "email", value: email })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (contact.numInsertedOrUpdatedRows === 1n) return id;
  await db.deleteFrom("users").where("id", "=", id).execute();
  return null;
}
