import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "../platform/database/database.ts";

/** Inserts the user in whose name a device or an API key acts: without a password, nobody can sign in as it. */
export const insertTechnicalUser = (db: Db, id: string, name: string) =>
  db.insertInto("users").values({ id, nick_name: name }).execute();

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
