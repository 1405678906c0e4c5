import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { localTimeIn } from "@arcada/contract/kernel/time-zone";
import { segmentationCalls, segmentationRules } from "@arcada/contract/study/segmentation.calls";
import { readInstitutionZone } from "../../domain/institution-time-zone.ts";
import { sendIngestJob } from "../../domain/ingest-queue.ts";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { files } from "../../platform/runtime/services.ts";
import { version as productVersion } from "../../platform/runtime/version.ts";
import { workerPool, type WorkerPool } from "../../platform/runtime/worker-pool.ts";
import { recordStoredFiles } from "../../platform/upload/finish-uploads.ts";
import { reserveSpace } from "../../platform/upload/storage-quota.ts";
import { insertFinishedUploads } from "../../platform/upload/upload-rows.ts";
import { findSavedMarks, listSeriesMetadata } from "../annotations/annotations.store.ts";
import { requireOwnStudy } from "../study.guards.ts";
import { toIngestJob } from "../study.view.ts";
import { insertJob } from "../upload-job/upload-job.store.ts";
import { findMarkedStructures } from "./marked-structures.ts";
import type { SegmentationTask } from "./segmentation.worker.ts";

type Request = Omit<SegmentationTask, "out">;

/** The bytes that were made before the transaction in which they are stored. */
const prepared = new WeakMap<object, { name: string; bytes: Buffer }>();

export const segmentationRoutes = routes(segmentationCalls, {
  segmentation: {
    // Masks of a whole jaw take seconds: no connection is held meanwhile.
    prepare: async (input, context) => {
      const request = await context.inTransaction((member) => readRequest(member, input));
      const bytes = await writeInThread(request, context.principal.iid);
      prepared.set(input, { name: `segmentation-${request.created.date}.dcm`, bytes });
    },
    handle: async (input, context) => {
      const { db, principal } = context;
      const study = await requireOwnStudy(context, input.id);
      context.subject = study.id;
      const { name, bytes } = prepared.get(input) ?? refuse("studyBusy");
      await reserveSpace(db, principal.iid, bytes.length);
      const stored = await files().put("originals", principal.iid, bytes);
      const upload = { id: newId(), name, ...stored };
      await recordStoredFiles(db, principal.iid, stored);
      await insertFinishedUploads(db, principal, [upload]);
      const uploads = { patientId: study.patient_id, uploads: [upload.id], acceptMismatch: true, kind: undefined };
      const { job } = await insertJob(db, principal.iid, principal.uid, uploads);
      await sendIngestJob(db, { iid: principal.iid, job: job.id });
      return toIngestJob(job);
    },
  },
});

async function readRequest(
  member: MemberContext,
  { id, seriesId, version }: { id: string; seriesId: string; version: number },
): Promise<Request> {
  const { db, principal } = member;
  const study = await requireOwnStudy(member, id);
  const instances = await listSeriesMetadata(db, study, seriesId, segmentationRules.maxSlices);
  if (instances.length === 0) return refuse("segmentationEmpty");
  const metadata = instances.flatMap((one) => one.metadata ?? []);
  // The index follows the volume by some seconds.
  if (metadata.length < instances.length) return refuse("studyBusy");
  const saved = await findSavedMarks(db, study);
  if ((saved?.version ?? 0) !== version) return refuse("marksChanged");
  const owners = new Set(instances.map((one) => one.id));
  const structures = findMarkedStructures(saved?.marks ?? [], owners, segmentationRules.maxStructures);
  if (!saved || structures.length === 0) return refuse("segmentationEmpty");
  // The time of the marks: made twice of the same marks, it is the same object and is kept once.
  const at = localTimeIn(await readInstitutionZone(db, principal.iid), saved.savedAt);
  const [date = "", time = ""] = at.replaceAll(/[-:]/g, "").split("T");
  return { metadata, structures, created: { date, time, seriesNumber: 900, version: productVersion } };
}

let pool: WorkerPool<SegmentationTask, null> | undefined;

async function writeInThread(request: Request, iid: string): Promise<Buffer> {
  pool ??= workerPool(new URL("./segmentation.worker.ts", import.meta.url), 1, { maxOldGenerationSizeMb: 1024 });
  const folder = await mkdtemp(path.join(tmpdir(), "arcada-segmentation-"));
  try {
    const out = path.join(folder, "segmentation.dcm");
    const answer = await pool.run({ ...request, out }, { timeoutMs: 120_000, group: iid });
    if ("refusal" in answer) return refuse(answer.refusal);
    return await readFile(out);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
