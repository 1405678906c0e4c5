import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { Row } from "../../tables/row.ts";

interface Choice {
  id: string;
  name: string;
}

const maxChoices = 500;

/**
 * Returns the institutions and people by which the list can be filtered. Each is looked up once, after the previous
 * one: a million orders name only a few.
 */
export async function readFilterChoices(db: Db, iid: string): Promise<{ organisations: Choice[]; people: Choice[] }> {
  const organisations = await sql<Row<"institution", "id" | "name">>`
    with recursive other as (
      (select other_id as id from order_entry where institution_id = ${iid} and other_id is not null order by other_id limit 1)
      union all
      select (select e.other_id from order_entry e where e.institution_id = ${iid} and e.other_id > other.id order by e.other_id limit 1)
      from other where other.id is not null)
    select i.id, i.name from other join institution i on i.id = other.id order by i.name, i.id limit ${maxChoices}`.execute(
    db,
  );
  const people = await sql<Choice>`
    with recursive sent as (
      (select creator_id as id from orders where institution_id = ${iid} order by creator_id limit 1)
      union all
      select (select o.creator_id from orders o where o.institution_id = ${iid} and o.creator_id > sent.id order by o.creator_id limit 1)
      from sent where sent.id is not null
    ), received as (
      (select assignee_id as id from orders
        where receiver_id = ${iid} and handed_over_at is not null and assignee_id is not null order by assignee_id limit 1)
      union all
      select (select o.assignee_id from orders o
        where o.receiver_id = ${iid} and o.handed_over_at is not null and o.assignee_id > received.id order by o.assignee_id limit 1)
      from received where received.id is not null
    )
    select u.id, coalesce(nullif(u.nick_name, ''), u.user_name) as name
    from users u where u.id in (select id from sent union select id from received) order by name, u.id limit ${maxChoices}`.execute(
    db,
  );
  return { organisations: organisations.rows, people: people.rows };
}
