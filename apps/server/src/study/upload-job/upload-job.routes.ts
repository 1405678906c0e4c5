import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { notifyClients } from "../../platform/events/events.ts";
import { sendIngestJob } from "../../domain/ingest-queue.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { requirePatient, requireUploads } from "../study.guards.ts";
import { toIngestJob } from "../study.view.ts";
import { stopConversion } from "../conversion/reconvert-study.ts";
import { insertJob, areInOtherJob, cancelJob, extendsOlderStudy, findJob } from "./upload-job.store.ts";
import type { MemberContext } from "../../platform/http/request-context.ts";
import type { JobRow } from "./upload-job.store.ts";

export const uploadJobRoutes = routes(uploadJobCalls, {
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
});

const requireJob = async ({ db, principal }: MemberContext, id: string): Promise<JobRow> =>
  (await findJob(db, principal.iid, id)) ?? refuse("notFound");
