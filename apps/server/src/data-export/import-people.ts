import { sql } from "kysely";
import { insertFirstContacts, insertUsersWithoutPassword } from "../account/account.writes.ts";
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
  await insertUsersWithoutPassword(
    db,
    sql`select to_id, coalesce(row ->> 'user_name', ''), coalesce(row ->> 'nick_name', ''), coalesce(row ->> 'language', 'zh')
      from arriving_person`,
  );
  await insertFirstContacts(
    db,
    sql`select p.to_id as user_id, r.kind, r.value, r.country_code
      from arriving a cross join lateral jsonb_populate_record(null::contact, a.row) r
      join arriving_person p on p.from_id = r.user_id where a.source = 'contact'`,
  );
}
