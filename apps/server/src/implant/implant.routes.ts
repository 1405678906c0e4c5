import { implantLibraryRules } from "@arcada/contract/implant/implant-library.schema";
import { implantCalls, type PlanDocument } from "@arcada/contract/implant/implant.calls";
import { sendIngestJob } from "../domain/ingest-queue.ts";
import { insertIngestJob } from "../ingest/ingest-job.writes.ts";
import { notifyClients } from "../platform/events/events.ts";
import type { MemberContext } from "../platform/http/request-context.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { files, secret } from "../platform/runtime/services.ts";
import { createFileUrl } from "../platform/storage/file-url.ts";
import { finishUpload, recordStoredFiles } from "../platform/upload/finish-uploads.ts";
import { reserveSpace } from "../platform/upload/storage-quota.ts";
import { insertFinishedUploads } from "../platform/upload/upload-rows.ts";
import * as store from "./implant.store.ts";
import { buildReportFiles, type ReportFile } from "./plan-report.files.ts";

const preparedFiles = new WeakMap<object, ReportFile[]>();

export const implantRoutes = routes(implantCalls, {
  libraries: (_input, { db, principal }) => store.listLibraries(db, principal.iid),
  importLibrary: async ({ library }, context) => {
    const { db, principal } = context;
    const known = await store.listLibraries(db, principal.iid);
    const isNew = known.every((one) => one.library.name !== library.name);
    if (isNew && known.length >= implantLibraryRules.maxLibraries) return refuse("tooManyLibraries");
    const { id } = await store.putLibrary(db, principal, newId(), library);
    context.subject = id;
    context.detail = { name: library.name, systems: library.systems.length };
    await notifyClients(db, { institutions: [principal.iid] }, "institution", principal.iid);
    const imported = (await store.listLibraries(db, principal.iid)).find((one) => one.id === id);
    return imported ?? refuse("notFound");
  },
  removeLibrary: async ({ id }, { db, principal }) => {
    if (!(await store.removeLibrary(db, principal.iid, id))) return refuse("notFound");
    await notifyClients(db, { institutions: [principal.iid] }, "institution", principal.iid);
    return null;
  },
  documents: async ({ studyId }, context) => {
    const study = await requirePlannedStudy(context, studyId);
    return (await store.listDocuments(context.db, context.principal.iid, studyId)).map((row) =>
      toDocument(context, study, row),
    );
  },
  saveReport: {
    // Images are read and the pages are laid out without holding a database connection.
    prepare: async (input, context) => {
      const study = await context.inTransaction((own) => requirePlannedStudy(own, input.studyId));
      preparedFiles.set(input, await buildReportFiles(study, context, input));
    },
    handle: async (input, context) => {
      const { db, principal } = context;
      const study = await requirePlannedStudy(context, input.studyId);
      if ((study.marksVersion ?? 0) !== input.version) return refuse("marksChanged");
      const made = preparedFiles.get(input) ?? [];
      await reserveSpace(
        db,
        principal.iid,
        made.reduce((sum, { data }) => sum + data.length, 0),
      );
      const stored = await Promise.all(
        made.map(async ({ data, ...file }) => ({ ...file, ...(await files().put("originals", principal.iid, data)) })),
      );
      await recordStoredFiles(db, principal.iid, ...stored);
      const reportId = newId();
      await store.insertDocuments(
        db,
        { ...principal, studyId: study.id, version: input.version },
        stored.map(({ kind, name, sha256, bytes }) => ({
          id: kind === "report" ? reportId : newId(),
          kind,
          reportId: kind === "report" ? null : reportId,
          name,
          sha256,
          bytes,
          content: kind === "report" ? input.content : {},
        })),
      );
      const [report] = stored;
      if (report) await addToPatient(context, study, report);
      return finish(context, study, reportId);
    },
  },
  saveGuide: async ({ studyId, version, upload, settings }, context) => {
    const { db, principal } = context;
    const study = await requirePlannedStudy(context, studyId);
    if ((study.marksVersion ?? 0) !== version) return refuse("marksChanged");
    const { name, sha256, bytes } = await finishUpload(context, principal.iid, upload);
    if (!/\.stl$/i.test(name)) return refuse("fileUnknown", { name });
    const id = newId();
    await store.insertDocuments(db, { ...principal, studyId, version }, [
      { id, kind: "guide", reportId: null, name, sha256, bytes, content: settings },
    ]);
    // Not a study of the patient: a new order would take it for the latest intra-oral scan.
    return finish(context, study, id);
  },
  attach: async ({ studyId }, context) => {
    const { db, principal } = context;
    const { marksVersion } = await requirePlannedStudy(context, studyId);
    const newest = await store.listNewestDocuments(db, principal.iid, studyId);
    // A guide of an earlier plan would drill at the earlier place.
    const isOutdated = (one: store.DocumentRow): boolean => one.marks_version !== (marksVersion ?? 0);
    const found = newest.filter((one) => !isOutdated(one));
    const uploads = found.map(({ kind, name, bytes, sha256 }) => ({
      role: kind === "picture" ? ("image" as const) : ("document" as const),
      upload: { id: newId(), name, bytes, sha256 },
    }));
    await insertFinishedUploads(
      db,
      principal,
      uploads.map(({ upload }) => upload),
    );
    return {
      files: uploads.map(({ role, upload }) => ({ role, upload: upload.id, name: upload.name })),
      outdated: newest.filter(isOutdated).flatMap(({ kind }) => (kind === "report" || kind === "guide" ? [kind] : [])),
    };
  },
});

async function requirePlannedStudy(context: MemberContext, studyId: string): Promise<store.PlannedStudy> {
  context.subject = studyId;
  return (await store.findPlannedStudy(context.db, context.principal.iid, studyId)) ?? refuse("notFound");
}

/** Makes a study of the patient out of a stored file, as an upload does. */
async function addToPatient(
  { db, principal }: MemberContext,
  study: store.PlannedStudy,
  file: { name: string; sha256: string; bytes: number },
): Promise<void> {
  const [job, upload] = [newId(), newId()];
  await insertFinishedUploads(db, principal, [{ ...file, id: upload }]);
  await insertIngestJob(db, principal.iid, {
    id: job,
    patientId: study.patientId,
    kind: null,
    uploads: [upload],
    key: `implant ${upload}`,
    acceptMismatch: true,
    by: principal.uid,
    origin: "upload",
  });
  await sendIngestJob(db, { iid: principal.iid, job });
}

async function finish(context: MemberContext, study: store.PlannedStudy, id: string): Promise<PlanDocument> {
  const { db, principal } = context;
  await notifyClients(db, { institutions: [principal.iid] }, "study", study.id);
  const row = (await store.listDocuments(db, principal.iid, study.id)).find((one) => one.id === id);
  return row ? toDocument(context, study, row) : refuse("notFound");
}

const toDocument = (
  { principal }: MemberContext,
  { marksVersion }: store.PlannedStudy,
  { id, kind, name, bytes, sha256, madeBy, madeAt, marks_version }: store.DocumentRow,
): PlanDocument => ({
  id,
  kind: kind === "guide" ? "guide" : "report",
  name,
  bytes,
  madeBy,
  madeAt,
  isOutdated: marks_version !== (marksVersion ?? 0),
  url: createFileUrl(secret(), {
    area: "originals",
    iid: principal.iid,
    sha256,
    name,
    type: kind === "guide" ? "model/stl" : "application/pdf",
    ...(kind === "guide" && { download: true }),
  }),
});
