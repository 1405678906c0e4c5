import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import type { OrderContact } from "@arcada/contract/order/order-parts.schema";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";
import { bypassTenantScope, queryPipelined } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { prepared } from "../../platform/database/prepared-statements.ts";
import type {
  OrderEventTable,
  OrderFileTable,
  OrderMessageTable,
  OrderRevisionTable,
  OrderReadingTable,
} from "../../tables/schema.generated.ts";
import type { OrderSide } from "../../tables/order-columns.ts";
import { coarseCopyPlace } from "../../tables/study-columns.ts";
import { imageSides } from "../../platform/storage/image-copy.ts";
import type { Order } from "./order.store.ts";
import type { Column } from "../../tables/row.ts";

/** An order with the names that its reader may know. */
export type NamedOrder = Order & {
  shown_name: string;
  shown_number: string;
  sender_name: string;
  sender_number: string;
  receiver_name: string | null;
  receiver_number: string | null;
  /** The person responsible, and the person who made the order. */
  creator: string;
  drafter: string;
  assignee: string | null;
  /** State of the order that this one serves; null for a reader who may not know it. */
  above: { state: OrderState; holder: OrderSide; completedAt: string | null } | null;
  unread: number;
};
type EventColumn<Name extends keyof Selectable<OrderEventTable>> = Selectable<OrderEventTable>[Name];
/** An entry of the timeline, as `arcada_order_timeline` returns it. */
type TimelineEntry = [
  id: string,
  /** An instant with an offset. */
  at: string,
  action: EventColumn<"action">,
  from: EventColumn<"from_state">,
  to: EventColumn<"to_state">,
  who: string | null,
  side: EventColumn<"side">,
  text: string | null,
  revision: number | null,
  changed: string[] | null,
  code: string | null,
  faults: EventColumn<"faults">,
];
/** A single order, also with its timeline, the contact data of its sides, and whether it has messages. */
export type ReadOrder = NamedOrder & {
  talked: boolean;
  timeline: TimelineEntry[] | null;
  contacts: { sender: OrderContact; receiver: OrderContact | null } | null;
};
type PlainFile = Selectable<OrderFileTable> & { proposal_state: Column<"order_proposal", "state"> | null };
/** The files with which a file is displayed: small and large images, and the streaming and coarse copies of a model. */
interface DisplayFiles {
  study_kind: string | null;
  thumbnail: string | null;
  glb: string | null;
  glb_error: number | null;
  coarse: string | null;
  coarse_error: number | null;
  picture: string | null;
  small_picture: string | null;
}
export type NamedFile = PlainFile & DisplayFiles;
type Named<T> = T & { who: string | null };
export interface OrderParts {
  files: NamedFile[];
  revisions: (Named<Selectable<OrderRevisionTable>> & { decider: string | null; seen: boolean })[];
  messages: (Named<Selectable<OrderMessageTable>> & { mentioned: string[] })[];
  readings: Named<Selectable<OrderReadingTable>>[];
}

type Key = Pick<Order, "institution_id" | "id">;

const displayName = (alias: string) =>
  sql`coalesce(nullif(${sql.ref(`${alias}.nick_name`)}, ''), ${sql.ref(`${alias}.user_name`)})`;

/** Counts messages of the other side since the caller last read. */
const unreadCount = (iid: string) => sql`(select count(*)::int from order_message m
  where m.institution_id = o.institution_id and m.order_id = o.id
    and m.side <> case when o.institution_id = ${iid} then 'sender' else 'receiver' end
    and m.at > coalesce((select r.up_to from order_reading r
      where r.institution_id = o.institution_id and r.order_id = o.id and r.user_id = arcada_uid()), '-infinity'))`;

/** The sender sees the patient's current name, the receiver the one that was handed over. */
const shownName = (iid: string) =>
  sql<string>`coalesce(case when o.institution_id = ${iid} then coalesce(patient.name, o.patient_name) else o.patient_name end, '')`;
/** The names that stand beside the order's own columns. */
const nameColumns = (iid: string) => sql`${unreadCount(iid)} as unread,
  ${shownName(iid)} as shown_name,
  coalesce(case when o.institution_id = ${iid} then coalesce(patient.number, o.patient_number) else o.patient_number end, '') as shown_number,
  (select json_build_object('state', above.state, 'holder', above.holder, 'completedAt', above.completed_at) from orders above
    where above.id = o.parent_id and above.receiver_id = o.institution_id and o.institution_id = ${iid}) as above,
  sender.name as sender_name, sender.number as sender_number, receiver.name as receiver_name, receiver.number as receiver_number,
  ${displayName("creator")} as creator, coalesce(${displayName("drafter")}, ${displayName("creator")}) as drafter, ${displayName("assignee")} as assignee`;
/** The sender sees the patient's current record, the receiver the data that was handed over. */
export const orderColumns = (iid: string) => sql`o.*, ${nameColumns(iid)}`;
export const orderJoins = sql`
  join institution sender on sender.id = o.institution_id
  left join institution receiver on receiver.id = o.receiver_id
  left join users creator on creator.id = o.creator_id
  left join users drafter on drafter.id = o.made_by
  left join users assignee on assignee.id = o.assignee_id
  left join patient on patient.institution_id = o.institution_id and patient.id = o.patient_id`;
const visibleTo = (iid: string) =>
  sql<boolean>`(o.institution_id = ${iid} or (o.receiver_id = ${iid} and o.handed_over_at is not null))`;

const orderQuery = <Row>(
  iid: string,
  id: string,
  columns: RawBuilder<unknown>,
) => sql<Row>`${prepared} select ${columns},
    arcada_order_contacts(o.institution_id, o.id) as contacts,
    arcada_order_timeline(o.institution_id, o.id) as timeline,
    exists (select from order_message m where m.institution_id = o.institution_id and m.order_id = o.id) as talked
  from orders o ${orderJoins} where o.id = ${id} and ${visibleTo(iid)}`;

export async function readOrder(db: Db, iid: string, id: string): Promise<ReadOrder | undefined> {
  const { rows } = await orderQuery<ReadOrder>(iid, id, orderColumns(iid)).execute(db);
  return rows[0];
}

/** Returns those of the orders that the institution sent or received. */
export async function readOrders(db: Db, iid: string, ids: readonly string[]): Promise<NamedOrder[]> {
  const { rows } = await sql<NamedOrder>`${prepared} select ${orderColumns(iid)}
    from orders o ${orderJoins} where o.id = any(${ids}::uuid[]) and ${visibleTo(iid)}`.execute(db);
  return rows;
}

/** Lists the work of an order, by which people call it. */
export const listWork = ({ rx }: Pick<Order, "rx">): OrderRow["work"] =>
  rx.items.map(({ teeth, kind, material, shade }) => ({ teeth, kind, material, shade }));

/** Reads all parts of an order, and the rows of one more query, in one round trip. */
export async function readPartsWith<Row>(
  db: Db,
  order: ReadOrder,
  also: RawBuilder<Row>,
): Promise<{ parts: OrderParts; also: Row[] }> {
  const [[files, others], optional] = await Promise.all([
    queryPipelined(db, [filesQuery(order), also]),
    readOptionalParts(db, order),
  ]);
  return { parts: { files: await addDisplayFiles(db, files), ...optional }, also: others };
}

export async function readParts(db: Db, order: ReadOrder): Promise<OrderParts> {
  const [[files], optional] = await Promise.all([
    queryPipelined(db, [filesQuery(order)]),
    readOptionalParts(db, order),
  ]);
  return { files: await addDisplayFiles(db, files), ...optional };
}

/**
 * Adds to an order whose row is known what belongs to it, in one round trip for most. Returns undefined if another step
 * has changed the row since.
 */
export async function completeOrder<Row>(
  db: Db,
  iid: string,
  known: Order,
  also: RawBuilder<Row>,
): Promise<{ order: ReadOrder; parts: OrderParts; also: Row[] } | undefined> {
  const addedColumns = sql`o.version, ${nameColumns(iid)}`;
  const [[added], files, others] = await queryPipelined(db, [
    orderQuery<Omit<ReadOrder, Exclude<keyof Order, "version">>>(iid, known.id, addedColumns),
    filesQuery(known),
    also,
  ]);
  if (added?.version !== known.version) return undefined;
  const order = { ...known, ...added };
  const optional = await readOptionalParts(db, order);
  return { order, parts: { files: await addDisplayFiles(db, files), ...optional }, also: others };
}

/** Reads the parts that many orders do not have, and only if there are any. */
async function readOptionalParts(
  db: Db,
  order: ReadOrder,
): Promise<Pick<OrderParts, "revisions" | "messages" | "readings">> {
  const isRevised = order.scheme_revision + order.design_revision > 0;
  const [revisions, messages, readings] = await queryPipelined(db, [
    isRevised ? revisionsQuery(order) : null,
    order.talked ? messagesQuery(order) : null,
    order.talked ? readingsQuery(order) : null,
  ]);
  return { revisions, messages, readings };
}

/**
 * Behind a subselect, the planner does not know which order is meant: a plan for one with a few rows seems cheaper than
 * one for any order, and the statement would be planned again for each.
 */
const ofOrder = (alias: string, { institution_id, id }: Key) =>
  sql`${sql.ref(`${alias}.institution_id`)} = (select ${institution_id}::uuid) and ${sql.ref(`${alias}.order_id`)} = (select ${id}::uuid)`;
const filesQuery = (
  order: Key,
) => sql<PlainFile>`${prepared} select f.*, proposal.state as proposal_state from order_file f
  left join order_proposal proposal on proposal.institution_id = f.institution_id and proposal.order_id = f.order_id and proposal.id = f.proposal_id
  where ${ofOrder("f", order)} order by f.created_at, f.study_id is not null, f.place, f.id`;
const revisionsQuery = (order: Key) => sql<OrderParts["revisions"][number]>`${prepared}
  select v.*, ${displayName("users")} as who, ${displayName("decider")} as decider,
    exists (select from order_revision_opening s where s.institution_id = v.institution_id and s.order_id = v.order_id
      and s.revision_id = v.id and s.user_id = arcada_uid()) as seen from order_revision v
  join users on users.id = v.user_id left join users decider on decider.id = v.decided_by
  where ${ofOrder("v", order)} order by v.created_at, v.number`;
const messagesQuery = (order: Key) => sql<
  OrderParts["messages"][number]
>`${prepared} select m.*, ${displayName("users")} as who,
    array(select ${displayName("called")} from users called where called.id = any(m.mentions)) as mentioned
  from order_message m join users on users.id = m.user_id where ${ofOrder("m", order)} order by m.at, m.id`;
const readingsQuery = (order: Key) => sql<
  OrderParts["readings"][number]
>`${prepared} select r.*, ${displayName("users")} as who
  from order_reading r join users on users.id = r.user_id where ${ofOrder("r", order)} order by r.at`;

/**
 * Adds the files for display, which every reader of an order's file may see. They are read with the tenant scope
 * bypassed, for files that were read within it: planning the nested policies of so many tables lasted 80 ms, and
 * reading 1 ms.
 */
async function addDisplayFiles(db: Db, files: readonly PlainFile[]): Promise<NamedFile[]> {
  const [first] = files;
  if (!first) return [];
  const { rows } = await bypassTenantScope(db, () =>
    sql<
      DisplayFiles & { id: string }
    >`${prepared} select f.id, study.kind as study_kind, coalesce(instance.thumbnail, study.thumbnail) as thumbnail,
    coalesce(mesh.sha256, glb.sha256) as glb, coalesce((instance.model->>'glbError')::float, glb.error) as glb_error,
    coalesce(coarse.sha256, glb.coarse_sha256) as coarse, coalesce((instance.model->>'coarseError')::float, glb.coarse_error) as coarse_error,
    large.sha256 as picture, small.sha256 as small_picture from order_file f
    left join study on study.institution_id = f.owner_id and study.id = f.study_id
    left join instance on instance.institution_id = f.owner_id and instance.id = f.id
    left join converted_file mesh on mesh.institution_id = f.owner_id and mesh.study_id = f.study_id and mesh.owner_id = f.id
      and mesh.role = 'mesh' and mesh.place = 0
    left join converted_file coarse on coarse.institution_id = f.owner_id and coarse.study_id = f.study_id and coarse.owner_id = f.id
      and coarse.role = 'mesh' and coarse.place = ${coarseCopyPlace}
    left join order_glb glb on f.study_id is null and glb.institution_id = f.owner_id and glb.original = f.sha256
    left join order_picture large on f.study_id is null and large.institution_id = f.owner_id and large.original = f.sha256 and large.side = ${imageSides.large}
    left join order_picture small on f.study_id is null and small.institution_id = f.owner_id and small.original = f.sha256 and small.side = ${imageSides.small}
    where f.institution_id = ${first.institution_id} and f.order_id = ${first.order_id} and f.id = any(${files.map(({ id }) => id)}::uuid[])`.execute(
      db,
    ),
  );
  const displayFiles = new Map(rows.map(({ id, ...shown }) => [id, shown]));
  return files.flatMap((file) => {
    const shown = displayFiles.get(file.id);
    return shown ? [{ ...file, ...shown }] : [];
  });
}
