import { mayDownloadOriginal } from "@arcada/contract/order/receiver-rights";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { isDocumentKind } from "@arcada/contract/study/study.rules";
import type { MemberContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { sendIngestJob } from "../domain/ingest-queue.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import * as marked from "./annotations.store.ts";
import { setKind } from "./study.store.ts";
import {
  moveStudyOrRefuse,
  requirePatient,
  requireUploads,
  requireOwnStudy,
  createFileSigner,
} from "./study.guards.ts";
import { toIngestJob, toStudy, toStudyRow, type StudyReader } from "./study.view.ts";
import { findConversion, reconvertStudy, stopConversion } from "./study.conversion.ts";
import * as store from "./study.store.ts";
import { insertJob, areInOtherJob, findJob, cancelJob, extendsOlderStudy, type JobRow } from "./upload-job.store.ts";

export const studyRoutes = routes(studyCalls, {
  list: async ({ patientId, kind }, context) => {
    await requirePatient(context, patientId);
    context.subject = patientId;
    const rows = await store.listStudies(context.db, context.principal.iid, patientId, kind);
    return rows.map((row) => toStudyRow(row, createFileSigner()));
  },
  detail: async ({ id, brief = false }, context) => {
    const { study, patientName, ...reader } = await requireReadableStudy(context, id);
    const found = await store.loadStudyParts(context.db, study);
    await store.markStudyUsed(context.db, study, context.now);
    const fileName = reader.owns ? await store.findNameInFiles(context.db, study) : null;
    return toStudy({ study, patientName, fileName, ...found }, { ...reader, brief, sign: createFileSigner() });
  },
  open: async (input, context) => {
    const { db, principal } = context;
    await requirePatient(context, input.patientId);
    await requireUploads(context, input.uploads);
    if (await areInOtherJob(db, principal.iid, input)) return refuse("unzipInProgress");
    const { job, fresh } = await insertJob(db, principal.iid, principal.uid, { ...input, kind: input.kind });
    if (fresh) await sendIngestJob(db, { iid: principal.iid, job: job.id });
    context.subject = job.id;
    context.detail = { patient: input.patientId, files: input.uploads.length };
    return toIngestJob(job);
  },
  job: async ({ id }, context) => toIngestJob(await requireJob(context, id)),
  cancelJob: async ({ id }, context) => {
    const job = await requireJob(context, id);
    if (job.again) {
      await stopConversion(context.db, job);
      return toIngestJob(await requireJob(context, id));
    }
    if (job.state === "running" && (await extendsOlderStudy(context.db, job))) return refuse("studyBusy");
    await cancelJob(context.db, context.principal.iid, id);
    await notifyClients(context.db, { institutions: [context.principal.iid] }, "study", id);
    return toIngestJob(await requireJob(context, id));
  },
  convert: async ({ id }, context) => {
    const { study, owns } = await requireReadableStudy(context, id);
    await reconvertStudy(context.db, study, owns ? context.principal.uid : study.created_by);
    return findConversion(context.db, study, owns);
  },
  conversion: async ({ id }, context) => {
    const { study, owns } = await requireReadableStudy(context, id);
    return findConversion(context.db, study, owns);
  },
  attach: async ({ id, patientId, kind, acceptMismatch }, context) => {
    const study = await requireOwnStudy(context, id);
    if (patientId) {
      await requirePatient(context, patientId);
      await moveStudyOrRefuse(context, study, { from: null, patientId, acceptMismatch });
      context.detail = { patient: patientId };
    }
    if (kind && isDocumentKind(study.kind)) return refuse("badInput", { kind: "invalid" });
    if (kind) await setKind(context.db, study, kind);
    await notifyClients(context.db, { institutions: [context.principal.iid] }, "study", id);
    return toStudyRow(await requireOwnStudy(context, id), createFileSigner());
  },
  remove: async ({ id }, context) => {
    const study = (await store.lockStudy(context.db, await requireOwnStudy(context, id))) ?? refuse("notFound");
    if (study.state === "converting" || (await store.isInOpenOrder(context.db, study))) return refuse("studyBusy");
    await store.moveStudyToBin(context.db, study);
    await notifyClients(context.db, { institutions: [context.principal.iid] }, "study", id);
    return null;
  },
  marks: async ({ id, version }, context) => {
    if (version === undefined)
      return marked.findAnnotations(context.db, (await requireReadableStudy(context, id)).study);
    return (
      (await marked.findAnnotationsVersion(context.db, await requireOwnStudy(context, id), version)) ??
      refuse("notFound")
    );
  },
  markVersions: async ({ id }, context) =>
    marked.listAnnotationVersions(context.db, await requireOwnStudy(context, id)),
  saveMarks: async ({ id, version, marks }, context) => {
    const study = await requireOwnStudy(context, id);
    const saved = await marked.saveAnnotations(context.db, study, context.principal.uid, { version, marks });
    if (!saved) return refuse("marksChanged", await marked.findAnnotations(context.db, study));
    await notifyClients(context.db, { institutions: [context.principal.iid] }, "study", id);
    return saved;
  },
});

interface ReadableStudy extends Omit<StudyReader, "sign" | "brief"> {
  study: store.StudyRecord;
  patientName: string;
}
/**
 * A clinic reads its own studies; another institution reads those that an order contains, under the name that the order
 * gives.
 */
async function requireReadableStudy(context: MemberContext, id: string): Promise<ReadableStudy> {
  const { db, principal, now } = context;
  const own = await store.findOwnStudy(db, principal.iid, id);
  if (own)
    return {
      study: own,
      patientName: await store.findPatientName(db, principal.iid, own),
      owns: true,
      masked: false,
      clean: null,
      mayTake: () => true,
    };
  const { study, orderAccess } = (await store.findStudyByOrder(db, principal.iid, id)) ?? refuse("notFound");
  const { patientName, masked, order } = orderAccess[0]!;
  return {
    study,
    patientName,
    owns: false,
    masked,
    clean: masked ? order : null,
    mayTake: (file) => orderAccess.some((access) => mayDownloadOriginal(access, file, now)),
  };
}

const requireJob = async ({ db, principal }: MemberContext, id: string): Promise<JobRow> =>
  (await findJob(db, principal.iid, id)) ?? refuse("notFound");
