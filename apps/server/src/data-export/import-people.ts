import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

/**
 * Maps the people of the archive to users here: the user who already has a member's address, else the user with the
 * same identifier, else a new account without a password. An account that is in use is never changed.
 */
export async function importPeople(db: Db): Promise<void> {
  await sql`create temp table arriving_person on commit drop as
    select (a.row ->> 'id')::uuid as from_id, coalesce((
        select c.user_id from arriving held join contact c on c.kind = held.row ->> 'kind' and c.value = held.row ->> 'value'
        where held.source = 'contact' and held.row ->> 'user_id' = a.row ->> 'id' order by c.kind limit 1),
      (a.row ->> 'id')::uuid) as to_id, a.row
    from arriving a where a.source = 'users'`.execute(db);
  await sql`create unique index on arriving_person (from_id)`.execute(db);
  await sql`insert into users (id, user_name, nick_name, language)
    select to_id, coalesce(row ->> 'user_name', ''), coalesce(row ->> 'nick_name', ''), coalesce(row ->> 'language', 'zh')
    from arriving_person on conflict (id) do nothing`.execute(db);
  await importContacts(db);
}

/**
 * One address for each user, the e-mail before the phone: its owner sets the password with it. With two addresses, the
 * author of an archive could add an address of their own to another person's account. Only for accounts that nobody can
 * sign in to yet: such an account is founded with this address, so the address may set the password at once (decision
 * 69).
 */
const importContacts = (db: Db) =>
  sql`insert into contact (user_id, kind, value, country_code, verified_at)
    select distinct on (p.to_id) p.to_id, r.kind, r.value, r.country_code, u.created_at
    from arriving a cross join lateral jsonb_populate_record(null::contact, a.row) r
    join arriving_person p on p.from_id = r.user_id join users u on u.id = p.to_id
    where a.source = 'contact' and u.password_hash is null
      and (case r.kind when 'email' then r.value ~ '^[^[:space:]@]+@[^[:space:]@]+[.][^[:space:]@]+$' and r.value = lower(r.value) else r.value ~ '^[+][0-9]{5,20}$' end)
      and not exists (select from contact own where own.user_id = p.to_id)
      and not exists (select from membership m where m.user_id = p.to_id)
      and not exists (select from session s where s.user_id = p.to_id)
    order by p.to_id, r.kind, r.value on conflict do nothing`.execute(db);
