import { sql, type RawBuilder, type Selectable } from "kysely";
import type { ShareEvent, ShareEventKind } from "@arcada/contract/share/share.calls";
import type { ShareState } from "@arcada/contract/share/share.lifecycle";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";
import { rightsRules } from "@arcada/contract/order/receiver-rights";
import type { StudyKind } from "@arcada/contract/study/study.rules";
import { queryPipelined } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { countUpTo, maxCountedRows } from "../platform/database/select-value.ts";
import { prepared, preparedForPageSize } from "../platform/database/prepared-statements.ts";
import type { ShareTable } from "../tables/schema.generated.ts";
import type { Column } from "../tables/row.ts";

export type ShareRow = Selectable<ShareTable>;
/** With what people read about it; no kind where the thing was removed, or is another patient's by now. */
export interface ListedShare extends ShareRow {
  creator: string;
  house: string;
  patient_name: string | null;
  study_kind: StudyKind | null;
  taken_at: string | null;
  order_number: string | null;
  order_state: OrderState | null;
  order_holder: "sender" | "receiver" | null;
  completed_at: string | null;
}

/**
 * Condition: the shared item still exists and belongs to the same patient; for a share `h`, its study `s` or order `o`,
 * and patient `p`.
 */
export const isSubjectAvailable = sql`coalesce(p.deleted_at is null and case h.kind
  when 'study' then s.deleted_at is null and s.patient_id = h.patient_id
  else o.patient_id = h.patient_id and o.state not in ('draft', 'cancelled', 'refused')
    and (o.completed_at is null or o.completed_at > now() - make_interval(days => ${sql.lit(rightsRules.shareDays)})) end, false)`;
const subjectJoins = sql`left join study s on h.kind = 'study' and s.institution_id = h.institution_id and s.id = h.thing_id
  left join orders o on h.kind = 'order' and o.institution_id = h.institution_id and o.id = h.thing_id`;
export const subjectAndPatientJoins = sql`${subjectJoins} join patient p on p.institution_id = h.institution_id and p.id = h.patient_id`;
/** Condition: the link can still be opened. */
export const isLinkActive = sql`h.state = 'active' and h.expires_at > now()`;

export interface ShareSubject {
  patientId: string;
  patientName: string;
  phone: string;
  birthDate: string | null;
}
/** Returns the patient of a study that may be shared, and the data by which a visitor could be verified. */
export async function findStudySubject(db: Db, iid: string, study: string): Promise<ShareSubject | undefined> {
  const { rows } = await sql<ShareSubject>`select ${patientColumns}
    from study s join patient p on p.institution_id = s.institution_id and p.id = s.patient_id
    where s.institution_id = ${iid} and s.id = ${study} and s.deleted_at is null and p.deleted_at is null`.execute(db);
  return rows[0];
}

export interface OrderSubject extends ShareSubject {
  /** The institution that owns the order. */
  sender: string;
  creator: string | null;
  state: OrderState;
  holder: "sender" | "receiver";
  completedAt: string | null;
  revisions: string[];
  mayShare: boolean;
  /** No name may be shown. */
  nameHidden: boolean;
}
/** The same for an order, with the data that decide if it may be shared. */
export async function findOrderSubject(db: Db, iid: string, order: string): Promise<OrderSubject | undefined> {
  const { rows } =
    await sql<OrderSubject>`select ${patientColumns}, ${orderColumns}, o.creator_id as creator, true as "mayShare", false as "nameHidden"
    from orders o join patient p on p.institution_id = o.institution_id and p.id = o.patient_id
    where o.institution_id = ${iid} and o.id = ${order} and p.deleted_at is null`.execute(db);
  return rows[0];
}

/** For an order of another clinic that the lab works on: the lab knows of the patient only what came with the order. */
export async function findLabSubject(db: Db, iid: string, order: string): Promise<OrderSubject | undefined> {
  const { rows } =
    await sql<OrderSubject>`select o.patient_id as "patientId", coalesce(o.patient_name, '') as "patientName",
      '' as phone, null as "birthDate", ${orderColumns}, o.assignee_id as creator, o.name_masked as "nameHidden",
      o.parent_id is null and o.state <> 'pending' and coalesce(o.receiver_shares, (o.rx ->> 'labShares')::boolean, false) as "mayShare"
    from orders o where o.receiver_id = ${iid} and o.id = ${order} and o.handed_over_at is not null and o.patient_id is not null`.execute(
      db,
    );
  return rows[0];
}
const orderColumns = sql`o.institution_id as sender, o.state, o.holder, o.completed_at as "completedAt",
  array(select v.id from order_revision v where v.institution_id = o.institution_id and v.order_id = o.id) as revisions`;
const patientColumns = sql`p.id as "patientId", p.name as "patientName", coalesce(p.phone, '') as phone, p.birth_date as "birthDate"`;

export type NewShare = Pick<
  ShareRow,
  | "institution_id"
  | "house_id"
  | "id"
  | "kind"
  | "thing_id"
  | "patient_id"
  | "label"
  | "secret_hash"
  | "factor"
  | "factor_hash"
  | "email"
  | "nameless"
  | "may_download"
  | "pictures"
  | "revisions"
  | "created_by"
  | "expires_at"
>;
export const insertShare = (db: Db, row: NewShare) => db.insertInto("share").values(row).execute();

const listed = sql`select h.*, u.nick_name as creator, made.name as house,
    case when h.institution_id = h.house_id then p.name else o.patient_name end as patient_name,
    case when ${isSubjectAvailable} then s.kind end as study_kind, s.taken_at,
    case when ${isSubjectAvailable} then o.number end as order_number, o.state as order_state, o.holder as order_holder, o.completed_at
  from share h join users u on u.id = h.created_by join institution made on made.id = h.house_id ${subjectJoins}
    left join patient p on p.institution_id = h.institution_id and p.id = h.patient_id`;

export async function findShare(db: Db, iid: string, id: string): Promise<ListedShare | undefined> {
  const { rows } = await sql<ListedShare>`${listed} where ${belongsTo(iid)} and h.id = ${id}`.execute(db);
  return rows[0];
}
/** Links that show something of the institution, and links that it made itself. */
const belongsTo = (iid: string) => sql`(h.institution_id = ${iid} or h.house_id = ${iid})`;

const isActive = sql<boolean>`(h.state in ('active', 'locked') and h.expires_at > now())`;
export interface ListInput {
  part: "living" | "ended";
  thingId?: string | undefined;
  page: number;
  pageSize: number;
}
export async function listShares(
  db: Db,
  iid: string,
  input: ListInput,
): Promise<{ rows: ListedShare[]; total: number }> {
  const where: RawBuilder<unknown> = sql.join(
    [
      belongsTo(iid),
      input.part === "living" ? isActive : sql`not ${isActive}`,
      ...(input.thingId ? [sql`h.thing_id = ${input.thingId}`] : []),
    ],
    sql` and `,
  );
  const { page, pageSize } = input;
  const skip = (page - 1) * pageSize;
  const [rows, count] = await queryPipelined(db, [
    sql<ListedShare>`${skip === 0 ? preparedForPageSize(pageSize) : sql``} ${listed} where ${where}
      order by h.created_at desc, h.id desc limit ${sql.lit(pageSize)} offset ${sql.lit(skip)}`,
    sql<{ total: number }>`${prepared} select ${countUpTo(maxCountedRows, sql`from share h where ${where}`)} as total`,
  ]);
  return { rows, total: count[0]?.total ?? 0 };
}

/**
 * Returns the row of a link's secret and locks it until the transaction ends: wrong answers are counted one after the
 * other.
 */
export async function lockBySecret(
  db: Db,
  secretHash: string,
): Promise<(ShareRow & { institution: string }) | undefined> {
  const { rows } = await sql<
    ShareRow & { institution: Column<"institution", "name"> }
  >`select h.*, i.name as institution from share h ${subjectAndPatientJoins}
    join institution i on i.id = h.house_id
    where h.secret_hash = ${secretHash} and ${isSubjectAvailable} for update of h`.execute(db);
  return rows[0];
}

/** Changes the row only if it is as it was read; returns false if another change came first. */
export async function transitionShare(
  db: Db,
  seen: Pick<ShareRow, "institution_id" | "id" | "state">,
  state: ShareState,
  more: RawBuilder<unknown> = sql``,
): Promise<boolean> {
  const moved = await sql`update share set state = ${state},
      ended_at = case when ${state} in ('cancelled', 'expired') then now() end ${more}
    where institution_id = ${seen.institution_id} and id = ${seen.id} and state = ${seen.state}`.execute(db);
  return moved.numAffectedRows === 1n;
}

export interface NewShareEvent {
  what: ShareEventKind;
  user?: string;
  address?: string;
  agent?: string;
}
export const insertEvent = (
  db: Db,
  { institution_id, id }: Pick<ShareRow, "institution_id" | "id">,
  { what, user, address, agent }: NewShareEvent,
) =>
  sql`insert into share_event (institution_id, share_id, what, user_id, address, agent)
    values (${institution_id}, ${id}, ${what}, ${user ?? null}, ${address ?? null}, ${agent ?? null})`.execute(db);

const maxLogEntries = 500;
export const listEvents = (db: Db, id: string): Promise<ShareEvent[]> =>
  db
    .selectFrom("share_event as e")
    .leftJoin("users as u", "u.id", "e.user_id")
    .select(sql<string>`e.seq::text`.as("id"))
    .select(["e.at as time", "e.what", "u.nick_name as who", "e.address as from", "e.agent"])
    .where("e.share_id", "=", id)
    .orderBy("e.seq", "desc")
    .limit(maxLogEntries)
    .execute();
