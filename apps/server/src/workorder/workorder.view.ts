import { sql } from "kysely";
import { hasAccess, serviceRoles } from "@arcada/contract/kernel/roles";
import type { Workorder, WorkorderEntry, WorkorderFile } from "@arcada/contract/workorder/workorder.schema";
import type { Principal } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import { createFileUrl } from "../platform/storage/file-url.ts";
import { refuse } from "../platform/http/refuse.ts";
import { uploadParts, secret } from "../platform/runtime/services.ts";
import { addEvent, listFiles, markRead, findOrder } from "./workorder.store.ts";
import type { OrderReader, WorkOrderFile, WorkOrderRow } from "./workorder.store.ts";
import {
  closingTime,
  mayAddFile,
  mayFinish,
  mayNote,
  mayPlan,
  mayReport,
  listOpenSteps,
  whoseTurn,
  toWireType,
} from "./workorder.allowed-steps.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

export interface OrderContext {
  db: Db;
  principal: Pick<Principal, "uid" | "iid" | "role">;
  now: Date;
}
export const toOrderReader = ({ uid, iid, role }: OrderContext["principal"]): OrderReader => {
  const isService = hasAccess(serviceRoles, role);
  // A clinic's user without an institution may read nothing.
  if (!isService && iid === null) return refuse("notAllowed");
  return { uid, iid: isService ? null : iid, seesAll: role === "afterSalesAdmin" || role === "operator" };
};

/** An order as its reader may know it. */
export async function loadOrder(orderContext: OrderContext, id: string): Promise<Workorder> {
  const { db, principal, now } = orderContext;
  const reader = toOrderReader(principal);
  const row = (await findOrder(db, reader, id)) ?? refuse("notFound");
  const isClinic = reader.iid !== null;
  const names = await loadNames(db, row, isClinic);
  const isOver = row.state === "finished" || row.outcome === "done";
  const files = (await listFiles(db, id)).filter(
    ({ role, sha256 }) => !isClinic || role === "report" || (isOver && sha256 !== null && role !== "attachment"),
  );
  const { rows: unread } =
    await sql`select from work_order_read where work_order_id = ${id} and user_id = ${principal.uid}`.execute(db);
  return {
    ...toWorkorderRow(row, { ...names, unread: unread.length === 0 }),
    ...pickColumns(row, "contact", "contact_phone", "alternate_contact", "alternate_phone"),
    ...pickColumns(row, "tracking_number", "to_address", "started_at", "rework_count"),
    address: names.address,
    toClinic: row.to_clinic_id && names.to_clinic ? { id: row.to_clinic_id, name: names.to_clinic } : null,
    alternate: row.alternate_id && !isClinic ? { id: row.alternate_id, name: names.alternate ?? "" } : null,
    reporter: names.creator,
    reportedBy: row.created_side,
    submittedAt: isClinic ? null : row.submitted_at,
    closesAt: row.state === "finished" ? new Date(closingTime(row.finished_at!)).toISOString() : null,
    reviewer: isClinic ? null : names.reviewer,
    finish: isClinic && !isOver ? null : toFinish(row),
    files: await Promise.all(files.map((file) => toWorkorderFile(file, mayAddFile(row, file.role, principal)))),
    log: await loadLog(db, id, isClinic),
    actions: isClinic ? [] : listOpenSteps(row, principal, now),
    may: {
      finish: mayFinish(row, principal),
      note: mayNote(row, principal),
      report: mayReport(row, principal),
      plan: mayPlan(row, principal),
    },
  };
}

/** The first view of a new order by its assignee is recorded in its log (W2). */
export async function openOrderAsRead(orderContext: OrderContext, id: string): Promise<Workorder> {
  const { db, principal } = orderContext;
  const view = await loadOrder(orderContext, id);
  if (!(await markRead(db, id, principal.uid))) return view;
  if (view.state === "new" && view.assignee?.id === principal.uid)
    await addEvent(
      db,
      { id, institution_id: null },
      { uid: principal.uid, action: "open", to: "new", text: null, isInternal: true },
    );
  await notifyClients(db, { user: principal.uid }, "workorder", id);
  return { ...view, unread: false };
}

const toFinish = (row: WorkOrderRow) => ({
  serialNumber: row.finish_serial,
  description: row.finish_description,
  parts: row.finish_parts,
});

export interface OrderNames {
  clinic: string;
  assignee: string | null;
  unread: boolean;
}
export const toWorkorderRow = (row: WorkOrderRow, { clinic, assignee, unread }: OrderNames) => ({
  ...pickColumns(
    row,
    "id",
    "number",
    "state",
    "description",
    "created_at",
    "planned_at",
    "finished_at",
    "outcome",
    "version",
  ),
  type: toWireType(row.type),
  clinic: { id: row.clinic_id, name: clinic },
  device: { id: row.device_id, ...pickColumns(row, "product", "model", "serial_number") },
  assignee: row.assignee_id ? { id: row.assignee_id, name: assignee ?? "" } : null,
  unread,
  turn: whoseTurn(row),
});

interface OrderNameRow {
  clinic: string;
  address: string | null;
  to_clinic: string | null;
  assignee: string | null;
  alternate: string | null;
  reviewer: string | null;
  creator: string | null;
}
/** Returns the names for the ids in a row. A clinic learns nothing of other clinics. */
const loadNames = (db: Db, row: WorkOrderRow, isClinic: boolean): Promise<OrderNameRow> =>
  bypassTenantScope(db, async () => {
    const user = (id: string | null) => sql`(select nick_name from users where id = ${id})`;
    const { rows } = await sql<OrderNameRow>`select c.name as clinic, c.address,
        (select t.name from clinic t where t.id = ${row.to_clinic_id} and (${!isClinic} or t.institution_id = ${row.institution_id})) as to_clinic,
        ${user(row.assignee_id)} as assignee, ${user(row.alternate_id)} as alternate,
        ${user(row.reviewer_id)} as reviewer, ${user(row.created_by)} as creator
      from clinic c where c.id = ${row.clinic_id}`.execute(db);
    return rows[0]!;
  });

async function loadLog(db: Db, id: string, isClinic: boolean): Promise<WorkorderEntry[]> {
  const rows = await db
    .selectFrom("work_order_event as e")
    .leftJoin("users", "users.id", "e.user_id")
    .select(["e.id", "e.at", "e.action", "e.to_state", "e.text", "e.inner_only", "users.nick_name"])
    .where("e.work_order_id", "=", id)
    .$if(isClinic, (query) => query.where("e.inner_only", "=", false))
    .orderBy("e.seq")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    time: row.at,
    who: row.nick_name,
    action: row.action,
    to: row.to_state,
    text: row.text,
    isInternal: row.inner_only,
  }));
}

const contentTypes: Record<string, string> = { jpeg: "image/jpeg", png: "image/png", pdf: "application/pdf" };
export async function toWorkorderFile(file: WorkOrderFile, mayRemove: boolean): Promise<WorkorderFile> {
  const url = (sha256: string | null, type: string, download: boolean) =>
    sha256 &&
    createFileUrl(secret(), { area: "converted", iid: file.work_order_id, sha256, name: file.name, type, download });
  return {
    id: file.id,
    role: file.role,
    name: file.name,
    bytes: file.bytes,
    offset: file.sha256 ? file.bytes : ((await uploadParts().bytes(file.id)) ?? 0),
    isHere: file.sha256 !== null,
    mayRemove,
    thumbnail: url(file.thumbnail_sha256, "image/webp", false),
    shown: url(file.shown_sha256, "image/jpeg", false),
    url: url(file.sha256, contentTypes[file.content ?? ""] ?? "application/octet-stream", true),
  };
}
