import { moment } from "@arcada/contract/kernel/fields";
import { visitCalls, type Visit } from "@arcada/contract/visit/visit.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { noteUnneeded } from "../platform/storage/blob-references.ts";
import { tell, notifyClients } from "../platform/events/events.ts";
import { fileUrl } from "../platform/storage/file-url.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { secret } from "../platform/runtime/services.ts";
import { finishUploads } from "../platform/upload/uploads.ts";
import * as store from "./visit.store.ts";
import type { VisitFile, VisitPlace, VisitRow } from "./visit.store.ts";

export const visitRoutes = routes(visitCalls, {
  list: async ({ patientId, which, cursor, pageSize }, context) => {
    const { db, asker } = context;
    await needPatient(context, patientId);
    const after = cursor === undefined ? null : readCursor(cursor);
    const rows = await store.visitsOf(db, asker.iid, patientId, {
      removed: which === "removed",
      after,
      most: pageSize + 1,
    });
    const list = rows.slice(0, pageSize);
    const files = await store.filesOf(
      db,
      asker.iid,
      list.map(({ id }) => id),
    );
    const last = rows.length > pageSize ? list.at(-1) : undefined;
    return { list: list.map((row) => visitOf(row, files)), next: last ? `${last.at}.${last.id}` : null };
  },
  create: async ({ patientId, uploads, dentistId, ...form }, context) => {
    const { db, asker } = context;
    await needPatient(context, patientId);
    await needDentist(context, dentistId);
    const text = { ...form, dentist_id: dentistId };
    const id = await store.insertVisit(db, { iid: asker.iid, uid: asker.uid, patientId }, text);
    await attach(context, id, uploads);
    return told(context, patientId, id);
  },
  update: async ({ id, version, uploads, keep, dentistId, ...form }, context) => {
    const { db, asker } = context;
    const old = await livingVisit(context, id);
    if (dentistId !== old.dentist_id) await needDentist(context, dentistId);
    const text = { ...form, dentist_id: dentistId };
    if (!(await store.updateVisit(db, old, asker.uid, version, text)))
      return refuse("visitChanged", await visitNow(context, id));
    const dropped = await store.dropFiles(db, asker.iid, id, keep);
    await noteUnneeded(
      db,
      asker.iid,
      dropped.map((sha256) => ({ area: "originals", sha256 })),
    );
    await attach(context, id, uploads);
    return told(context, old.patient_id, id);
  },
  versions: async ({ id }, context) => {
    const { db, asker } = context;
    const { patient_id } = (await store.visitById(db, asker.iid, id)) ?? refuse("notFound");
    note(context, patient_id, id);
    return (await store.versionsOf(db, asker.iid, id)).map((row) => ({
      version: row.version,
      at: row.at,
      dentist: { id: row.dentist_id, name: row.dentist },
      content: row.content,
      savedBy: row.saver,
      savedAt: row.saved_at,
    }));
  },
  remove: async ({ id, version, reason }, context) => {
    const { db, asker } = context;
    const { patient_id } = await livingVisit(context, id);
    if (!(await store.binVisit(db, asker.iid, asker.uid, id, version, reason)))
      return refuse("visitChanged", await visitNow(context, id));
    await told(context, patient_id, id);
    return null;
  },
  restore: async ({ id }, context) => {
    const { db, asker } = context;
    const { patient_id } = (await store.visitById(db, asker.iid, id)) ?? refuse("notFound");
    if (!(await store.restoreVisit(db, asker.iid, id))) return refuse("notFound");
    return told(context, patient_id, id);
  },
});

async function needPatient(context: MemberContext, patientId: string): Promise<void> {
  if (!(await store.patientIsThere(context.db, context.asker.iid, patientId))) refuse("notFound");
  context.subject = patientId;
}

async function needDentist({ db, asker }: MemberContext, uid: string): Promise<void> {
  if (!(await store.worksHere(db, asker.iid, uid))) refuse("badInput", { dentistId: "invalid" });
}

async function livingVisit({ db, asker }: MemberContext, id: string): Promise<VisitRow> {
  const row = await store.visitById(db, asker.iid, id);
  return row && row.deleted_at === null ? row : refuse("notFound");
}

async function attach(context: MemberContext, visitId: string, uploads: readonly string[]): Promise<void> {
  const { db, asker } = context;
  const finished = await finishUploads(context, asker.iid, [...new Set(uploads)]);
  await store.addFiles(db, { iid: asker.iid, uid: asker.uid, visitId }, finished);
}

function note(context: MemberContext, patientId: string, id: string): void {
  context.subject = patientId;
  context.detail = { visit: id };
}

async function told(context: MemberContext, patientId: string, id: string): Promise<Visit> {
  const { db, asker } = context;
  note(context, patientId, id);
  await tell(db, { name: "visitsChanged", institution: asker.iid, patientId });
  await notifyClients(db, { institutions: [asker.iid] }, "patient", patientId);
  return visitNow(context, id);
}

async function visitNow({ db, asker }: MemberContext, id: string): Promise<Visit> {
  const row = (await store.visitById(db, asker.iid, id)) ?? refuse("notFound");
  return visitOf(row, await store.filesOf(db, asker.iid, [id]));
}

const visitOf = (row: VisitRow, files: readonly VisitFile[]): Visit => ({
  id: row.id,
  patientId: row.patient_id,
  at: row.at,
  dentist: { id: row.dentist_id, name: row.dentist },
  content: row.content,
  files: files
    .filter(({ visit_id }) => visit_id === row.id)
    .map(({ id, name, bytes, sha256, institution_id: iid }) => ({
      id,
      name,
      bytes,
      url: fileUrl(secret(), {
        area: "originals",
        iid,
        sha256,
        name,
        type: "application/octet-stream",
        download: true,
      }),
    })),
  version: row.version,
  createdBy: { id: row.created_by, name: row.creator },
  changedBy: { id: row.changed_by, name: row.changer },
  changedAt: row.changed_at,
  removed:
    row.deleted_at === null ? null : { at: row.deleted_at, by: row.remover ?? "", reason: row.delete_reason ?? "" },
});

function readCursor(cursor: string): VisitPlace {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(cursor) ?? [];
  return id !== undefined && moment.safeParse(at).success
    ? { at: at!, id }
    : refuse("badInput", { cursor: "cursorUnknown" });
}
