import { mayTakeOriginal } from "@arcada/contract/order/order.rights";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { isDocumentKind } from "@arcada/contract/study/study.rules";
import type { MemberContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { sendIngest } from "../domain/ingest-queue.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import * as marked from "./marks.store.ts";
import { setKind } from "./inbox.store.ts";
import { needGiven, needPatient, needUploads, ownStudyOf, signer } from "./study.guards.ts";
import { jobOf, studyOf, studyRowOf, type Reader } from "./study.ts";
import { conversionOf, convertAgain, stopConverting } from "./study.convert.ts";
import * as store from "./study.store.ts";

export const studyRoutes = routes(studyCalls, {
  list: async ({ patientId, kind }, context) => {
    await needPatient(context, patientId);
    context.subject = patientId;
    const rows = await store.studiesOf(context.db, context.asker.iid, patientId, kind);
    return rows.map((row) => studyRowOf(row, signer()));
  },
  detail: async ({ id, brief = false }, context) => {
    const { study, patientName, ...reader } = await readable(context, id);
    const found = await store.partsOf(context.db, study);
    await store.noteUse(context.db, study, context.now);
    const fileName = reader.owns ? await store.nameInFiles(context.db, study) : null;
    return studyOf({ study, patientName, fileName, ...found }, { ...reader, brief, sign: signer() });
  },
  open: async (wish, context) => {
    const { db, asker } = context;
    await needPatient(context, wish.patientId);
    await needUploads(context, wish.uploads);
    if (await store.areElsewhere(db, asker.iid, wish)) return refuse("unzipInProgress");
    const { job, fresh } = await store.insertJob(db, asker.iid, asker.uid, { ...wish, kind: wish.kind });
    if (fresh) await sendIngest(db, { iid: asker.iid, job: job.id });
    context.subject = job.id;
    context.detail = { patient: wish.patientId, files: wish.uploads.length };
    return jobOf(job);
  },
  job: async ({ id }, context) => jobOf(await jobHere(context, id)),
  cancelJob: async ({ id }, context) => {
    const job = await jobHere(context, id);
    if (job.again) {
      await stopConverting(context.db, job);
      return jobOf(await jobHere(context, id));
    }
    if (job.state === "running" && (await store.joinsOlder(context.db, job))) return refuse("studyBusy");
    await store.cancelJob(context.db, context.asker.iid, id);
    await notifyClients(context.db, { institutions: [context.asker.iid] }, "study", id);
    return jobOf(await jobHere(context, id));
  },
  convert: async ({ id }, context) => {
    const { study, owns } = await readable(context, id);
    await convertAgain(context.db, study, owns ? context.asker.uid : study.created_by);
    return conversionOf(context.db, study, owns);
  },
  conversion: async ({ id }, context) => {
    const { study, owns } = await readable(context, id);
    return conversionOf(context.db, study, owns);
  },
  attach: async ({ id, patientId, kind, acceptMismatch }, context) => {
    const study = await ownStudyOf(context, id);
    if (patientId) {
      await needPatient(context, patientId);
      await needGiven(context, study, { from: null, patientId, acceptMismatch });
      context.detail = { patient: patientId };
    }
    if (kind && isDocumentKind(study.kind)) return refuse("badInput", { kind: "invalid" });
    if (kind) await setKind(context.db, study, kind);
    await notifyClients(context.db, { institutions: [context.asker.iid] }, "study", id);
    return studyRowOf(await ownStudyOf(context, id), signer());
  },
  remove: async ({ id }, context) => {
    const study = (await store.holdStudyAlone(context.db, await ownStudyOf(context, id))) ?? refuse("notFound");
    if (study.state === "converting" || (await store.inOpenOrder(context.db, study))) return refuse("studyBusy");
    await store.binStudy(context.db, study);
    await notifyClients(context.db, { institutions: [context.asker.iid] }, "study", id);
    return null;
  },
  marks: async ({ id, version }, context) => {
    if (version === undefined) return marked.marksOf(context.db, (await readable(context, id)).study);
    return (await marked.marksAt(context.db, await ownStudyOf(context, id), version)) ?? refuse("notFound");
  },
  markVersions: async ({ id }, context) => marked.markVersions(context.db, await ownStudyOf(context, id)),
  saveMarks: async ({ id, version, marks }, context) => {
    const study = await ownStudyOf(context, id);
    const saved = await marked.saveMarks(context.db, study, context.asker.uid, { version, marks });
    if (!saved) return refuse("marksChanged", await marked.marksOf(context.db, study));
    await notifyClients(context.db, { institutions: [context.asker.iid] }, "study", id);
    return saved;
  },
});

interface Readable extends Omit<Reader, "sign" | "brief"> {
  study: store.StudyRecord;
  patientName: string;
}
/**
 * A clinic reads its own studies; another institution reads those that an order contains, under the name that the order
 * gives.
 */
async function readable(context: MemberContext, id: string): Promise<Readable> {
  const { db, asker, now } = context;
  const own = await store.ownStudy(db, asker.iid, id);
  if (own)
    return {
      study: own,
      patientName: await store.patientName(db, asker.iid, own),
      owns: true,
      masked: false,
      clean: null,
      mayTake: () => true,
    };
  const { study, lendings } = (await store.lentStudy(db, asker.iid, id)) ?? refuse("notFound");
  const { patientName, masked, order } = lendings[0]!;
  return {
    study,
    patientName,
    owns: false,
    masked,
    clean: masked ? order : null,
    mayTake: (file) => lendings.some((lending) => mayTakeOriginal(lending, file, now)),
  };
}

const jobHere = async ({ db, asker }: MemberContext, id: string): Promise<store.JobRow> =>
  (await store.findJob(db, asker.iid, id)) ?? refuse("notFound");
