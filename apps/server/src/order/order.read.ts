import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { OrderState } from "@arcada/contract/order/order.cycle";
import type { Db } from "../kernel/db.ts";
import type { OrderEventTable, OrderFileTable, OrderMessageTable, OrderRevisionTable } from "../tables/order.ts";
import type { Order } from "./order.store.ts";

/** An order with the names that its reader may know. */
export type NamedOrder = Order & {
  shown_name: string;
  shown_number: string;
  sender_name: string;
  sender_number: string;
  receiver_name: string | null;
  receiver_number: string | null;
  creator: string;
  assignee: string | null;
};
export type NamedFile = Selectable<OrderFileTable> & {
  study_kind: string | null;
  thumbnail: string | null;
  glb: string | null;
  glb_error: number | null;
};
type Named<T> = T & { who: string | null };
export interface OrderParts {
  files: NamedFile[];
  revisions: Named<Selectable<OrderRevisionTable>>[];
  events: Named<Selectable<OrderEventTable>>[];
  messages: Named<Selectable<OrderMessageTable>>[];
}

const nameOf = (alias: string) =>
  sql`coalesce(nullif(${sql.ref(`${alias}.nick_name`)}, ''), ${sql.ref(`${alias}.user_name`)})`;

/** The sender knows the patient by the record as it is today, the receiver by what was handed over. */
const columns = (iid: string) => sql`o.*,
  coalesce(case when o.institution_id = ${iid} then patient.name else o.patient_name end, '') as shown_name,
  coalesce(case when o.institution_id = ${iid} then patient.number else o.patient_number end, '') as shown_number,
  sender.name as sender_name, sender.number as sender_number, receiver.name as receiver_name, receiver.number as receiver_number,
  ${nameOf("creator")} as creator, ${nameOf("assignee")} as assignee`;
const joins = sql`
  join institution sender on sender.id = o.institution_id
  left join institution receiver on receiver.id = o.receiver_id
  left join users creator on creator.id = o.creator_id
  left join users assignee on assignee.id = o.assignee_id
  left join patient on patient.institution_id = o.institution_id and patient.id = o.patient_id`;
const ofOrganisation = (iid: string) =>
  sql`(o.institution_id = ${iid} or (o.receiver_id = ${iid} and o.handed_over_at is not null))`;
const turnOf = (iid: string) => sql`o.turn = case when o.institution_id = ${iid} then 'sender' else 'receiver' end`;

export async function readOrder(db: Db, iid: string, id: string): Promise<NamedOrder | undefined> {
  const { rows } =
    await sql<NamedOrder>`select ${columns(iid)} from orders o ${joins} where o.id = ${id} and ${ofOrganisation(iid)}`.execute(
      db,
    );
  return rows[0];
}

export interface OrderQuery {
  page: number;
  pageSize: number;
  state?: OrderState | undefined;
  search?: string | undefined;
  turn?: "mine" | undefined;
  patientId?: string | undefined;
}

/** One page and the count of all pages, in one statement. */
export async function listOrders(
  db: Db,
  iid: string,
  query: OrderQuery,
): Promise<{ list: NamedOrder[]; total: number }> {
  const { rows } = await sql<{ total: number; found: boolean | null } & NamedOrder>`
    with hits as (select o.institution_id, o.id, o.updated_at from orders o where ${conditions(iid, query)}),
    page as (select * from hits order by updated_at desc, id desc limit ${query.pageSize} offset ${(query.page - 1) * query.pageSize})
    select (select count(*)::int from hits) as total, listed.*
    from (select 1) one left join (
      select true as found, ${columns(iid)} from page join orders o on o.institution_id = page.institution_id and o.id = page.id ${joins}
    ) listed on true
    order by listed.updated_at desc, listed.id desc`.execute(db);
  return { total: rows[0]?.total ?? 0, list: rows.filter((row) => row.found) };
}

function conditions(iid: string, query: OrderQuery) {
  const all = [
    ofOrganisation(iid),
    ...(query.state ? [sql`o.state = ${query.state}`] : []),
    ...(query.turn ? [turnOf(iid)] : []),
    ...(query.patientId ? [sql`o.institution_id = ${iid} and o.patient_id = ${query.patientId}`] : []),
    ...(query.search ? [found(iid, `%${query.search.replace(/[\\%_]/g, "\\$&")}%`)] : []),
  ];
  return sql.join(all, sql` and `);
}

/** Each side searches what it may know: a receiver never finds an order by a name that is hidden from it. */
// Sets, not joins: each name is compared once, whatever the planner knows of the tables.
const found = (iid: string, pattern: string) => sql`(o.number ilike ${pattern}
  or (o.institution_id = ${iid} and (o.receiver_id in ${houses(pattern)} or o.patient_id in (
    select id from patient where institution_id = ${iid} and (haystack like lower(${pattern}) or number ilike ${pattern}))))
  or (o.receiver_id = ${iid} and (o.institution_id in ${houses(pattern)} or o.patient_name ilike ${pattern} or o.patient_number ilike ${pattern})))`;
const houses = (pattern: string) => sql`(select id from institution where lower(name) like lower(${pattern}))`;

export async function countOrders(db: Db, iid: string): Promise<{ state: OrderState; count: number; mine: number }[]> {
  const { rows } = await sql<{ state: OrderState; count: number; mine: number }>`
    select o.state, count(*)::int as count, (count(*) filter (where ${turnOf(iid)}))::int as mine
    from orders o where ${ofOrganisation(iid)} group by o.state`.execute(db);
  return rows;
}

export async function readParts(
  db: Db,
  { institution_id, id }: Pick<Order, "institution_id" | "id">,
): Promise<OrderParts> {
  const here = (alias: string) =>
    sql`${sql.ref(`${alias}.institution_id`)} = ${institution_id} and ${sql.ref(`${alias}.order_id`)} = ${id}`;
  const files =
    await sql<NamedFile>`select f.*, study.kind as study_kind, coalesce(instance.thumbnail, study.thumbnail) as thumbnail,
    coalesce(mesh.sha256, glb.sha256) as glb, coalesce((instance.model->>'glbError')::float, glb.error) as glb_error from order_file f
    left join study on study.institution_id = f.institution_id and study.id = f.study_id
    left join instance on instance.institution_id = f.institution_id and instance.id = f.id
    left join converted_file mesh on mesh.institution_id = f.institution_id and mesh.study_id = f.study_id and mesh.owner_id = f.id and mesh.role = 'mesh'
    left join order_glb glb on f.study_id is null and glb.institution_id = f.owner_id and glb.original = f.sha256
    where ${here("f")} order by f.created_at, f.study_id is not null, f.place, f.id`.execute(db);
  const revisions = await sql<
    OrderParts["revisions"][number]
  >`select v.*, ${nameOf("users")} as who from order_revision v
    join users on users.id = v.user_id where ${here("v")} order by v.created_at, v.number`.execute(db);
  const events = await sql<OrderParts["events"][number]>`select e.*, ${nameOf("users")} as who from order_event e
    left join users on users.id = e.user_id where ${here("e")} order by e.seq`.execute(db);
  const messages = await sql<OrderParts["messages"][number]>`select m.*, ${nameOf("users")} as who from order_message m
    join users on users.id = m.user_id where ${here("m")} order by m.at, m.id`.execute(db);
  return { files: files.rows, revisions: revisions.rows, events: events.rows, messages: messages.rows };
}
