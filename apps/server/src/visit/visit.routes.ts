import { timestampInput } from "@arcada/contract/kernel/fields";
import { visitCalls, type Visit } from "@arcada/contract/visit/visit.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { markUnneeded } from "../platform/storage/blob-references.ts";
import { publish, notifyClients } from "../platform/events/events.ts";
import { createFileUrl } from "../platform/storage/file-url.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { secret } from "../platform/runtime/services.ts";
import { finishUploads } from "../platform/upload/finish-uploads.ts";
import * as store from "./visit.store.ts";
import type { VisitFile, VisitCursor, VisitRow } from "./visit.store.ts";
import { visitsChanged } from "./visit.events.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

export const visitRoutes = routes(visitCalls, {
  list: async ({ patientId, which, cursor, pageSize }, context) => {
    const { db, principal } = context;
    await requirePatient(context, patientId);
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const rows = await store.listVisits(db, principal.iid, patientId, {
      removed: which === "removed",
      after,
      most: pageSize + 1,
    });
    const list = rows.slice(0, pageSize);
    const files = await store.listFiles(
      db,
      principal.iid,
      list.map(({ id }) => id),
    );
    const last = rows.length > pageSize ? list.at(-1) : undefined;
    return { list: list.map((row) => toVisit(row, files)), next: last ? `${last.at}.${last.id}` : null };
  },
  create: async ({ patientId, uploads, dentistId, ...form }, context) => {
    const { db, principal } = context;
    await requirePatient(context, patientId);
    await requireDentist(context, dentistId);
    const text = { ...form, dentist_id: dentistId };
    const id = await store.insertVisit(db, { iid: principal.iid, uid: principal.uid, patientId }, text);
    await attachFiles(context, id, uploads);
    return notifyAndLoad(context, patientId, id);
  },
  update: async ({ id, version, uploads, keep, dentistId, ...form }, context) => {
    const { db, principal } = context;
    const old = await requireExistingVisit(context, id);
    if (dentistId !== old.dentist_id) await requireDentist(context, dentistId);
    const text = { ...form, dentist_id: dentistId };
    if (!(await store.updateVisit(db, old, principal.uid, version, text)))
      return refuse("visitChanged", await loadVisit(context, id));
    const dropped = await store.removeFiles(db, principal.iid, id, keep);
    await markUnneeded(
      db,
      principal.iid,
      dropped.map((sha256) => ({ area: "originals", sha256 })),
    );
    await attachFiles(context, id, uploads);
    return notifyAndLoad(context, old.patient_id, id);
  },
  versions: async ({ id }, context) => {
    const { db, principal } = context;
    const { patient_id } = (await store.findVisit(db, principal.iid, id)) ?? refuse("notFound");
    setAuditDetail(context, patient_id, id);
    return (await store.listVersions(db, principal.iid, id)).map((row) => ({
      ...pickColumns(row, "version", "at", "content", "saved_at"),
      dentist: { id: row.dentist_id, name: row.dentist },
      savedBy: row.saver,
    }));
  },
  remove: async ({ id, version, reason }, context) => {
    const { db, principal } = context;
    const { patient_id } = await requireExistingVisit(context, id);
    if (!(await store.moveVisitToBin(db, principal.iid, principal.uid, id, version, reason)))
      return refuse("visitChanged", await loadVisit(context, id));
    await notifyAndLoad(context, patient_id, id);
    return null;
  },
  restore: async ({ id }, context) => {
    const { db, principal } = context;
    const { patient_id } = (await store.findVisit(db, principal.iid, id)) ?? refuse("notFound");
    if (!(await store.restoreVisit(db, principal.iid, id))) return refuse("notFound");
    return notifyAndLoad(context, patient_id, id);
  },
});

async function requirePatient(context: MemberContext, patientId: string): Promise<void> {
  if (!(await store.patientExists(context.db, context.principal.iid, patientId))) refuse("notFound");
  context.subject = patientId;
}

async function requireDentist({ db, principal }: MemberContext, uid: string): Promise<void> {
  if (!(await store.isMember(db, principal.iid, uid))) refuse("badInput", { dentistId: "invalid" });
}

async function requireExistingVisit({ db, principal }: MemberContext, id: string): Promise<VisitRow> {
  const row = await store.findVisit(db, principal.iid, id);
  return row && row.deleted_at === null ? row : refuse("notFound");
}

async function attachFiles(context: MemberContext, visitId: string, uploads: readonly string[]): Promise<void> {
  const { db, principal } = context;
  const finished = await finishUploads(context, principal.iid, [...new Set(uploads)]);
  await store.addFiles(db, { iid: principal.iid, uid: principal.uid, visitId }, finished);
}

function setAuditDetail(context: MemberContext, patientId: string, id: string): void {
  context.subject = patientId;
  context.detail = { visit: id };
}

async function notifyAndLoad(context: MemberContext, patientId: string, id: string): Promise<Visit> {
  const { db, principal } = context;
  setAuditDetail(context, patientId, id);
  await publish(db, visitsChanged, { institution: principal.iid, patientId });
  await notifyClients(db, { institutions: [principal.iid] }, "patient", patientId);
  return loadVisit(context, id);
}

async function loadVisit({ db, principal }: MemberContext, id: string): Promise<Visit> {
  const row = (await store.findVisit(db, principal.iid, id)) ?? refuse("notFound");
  return toVisit(row, await store.listFiles(db, principal.iid, [id]));
}

const toVisit = (row: VisitRow, files: readonly VisitFile[]): Visit => ({
  ...pickColumns(row, "id", "patient_id", "at", "content", "version", "changed_at"),
  dentist: { id: row.dentist_id, name: row.dentist },
  files: files
    .filter(({ visit_id }) => visit_id === row.id)
    .map(({ id, name, bytes, sha256, institution_id: iid }) => ({
      id,
      name,
      bytes,
      url: createFileUrl(secret(), {
        area: "originals",
        iid,
        sha256,
        name,
        type: "application/octet-stream",
        download: true,
      }),
    })),
  createdBy: { id: row.created_by, name: row.creator },
  changedBy: { id: row.changed_by, name: row.changer },
  removed:
    row.deleted_at === null ? null : { at: row.deleted_at, by: row.remover ?? "", reason: row.delete_reason ?? "" },
});

function decodeCursor(cursor: string): VisitCursor {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(cursor) ?? [];
  return id !== undefined && timestampInput.safeParse(at).success
    ? { at: at!, id }
    : refuse("badInput", { cursor: "cursorUnknown" });
}
