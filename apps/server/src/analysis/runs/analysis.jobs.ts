import { sql } from "kysely";
import type { Database, Db } from "../../platform/database/database.ts";
import type { EventData } from "../../platform/events/events.ts";
import { defineQueue } from "../../platform/jobs/jobs.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { jobs } from "../../platform/runtime/services.ts";
import { failAnalysis, runAnalysis } from "./run-analysis.ts";
import { analysisQueues, startAnalyses, type AnalysisKey } from "./start-analyses.ts";
import { newStudyQueue, startOnUpload, unlessUsedUp } from "./analyse-on-upload.ts";
import type { EngineTrust } from "../engines/engine-trust-settings.ts";
import { listImages, canAnalyse } from "./analysable-images.store.ts";
import { measurementInfo } from "@arcada/analysis/measure/measurement-engine-info";
import type { studyReady } from "../../study/study.events.ts";

interface ImageCheck {
  iid: string;
  study: string;
  waited: number;
}
const imageCheckQueue = defineQueue<ImageCheck>("analysis.look");

/** New images are measured automatically, soon after the uploader sees them. */
export async function startAutomaticAnalysis(db: Db, domainEvent: EventData<typeof studyReady>): Promise<void> {
  if (domainEvent.again) return;
  const check: ImageCheck = { iid: domainEvent.institution, study: domainEvent.studyId, waited: 0 };
  await jobs().send(db, imageCheckQueue, check, {
    singletonKey: check.study,
    group: check.iid,
    afterSeconds: checkIntervalSeconds,
  });
}
const checkIntervalSeconds = 3;
/** After this many seconds of continuing uploads, the images that are here are measured anyway. */
const maxWaitSeconds = 600;

export async function registerAnalysisJobs(queue: Jobs, database: Database, trust: EngineTrust): Promise<void> {
  const run = (key: AnalysisKey, signal: AbortSignal) => runAnalysis({ database, trust }, key, signal);
  const whenDead = (key: AnalysisKey) => database.asSystem((db) => failAnalysis(db, key, "internal"));
  await queue.work(imageCheckQueue, (check) => database.asSystem((db) => checkImages(db, check)));
  await queue.work(newStudyQueue, (study) =>
    unlessUsedUp(database.asSystem((db) => startOnUpload(db, study, trust.included))),
  );
  for (const analysisQueue of Object.values(analysisQueues))
    await queue.work(analysisQueue, run, { onDeadLetter: whenDead });
}

/** Uploads take precedence: measurement starts when no upload of the same institution is being processed. */
async function checkImages(db: Db, check: ImageCheck): Promise<void> {
  const { iid, study, waited } = check;
  const busy = await sql`select from ingest_job where institution_id = ${iid} and state in ('waiting', 'running')
    and created_at > now() - interval '1 hour' limit 1`.execute(db);
  if (busy.rows.length > 0 && waited < maxWaitSeconds) {
    await jobs().send(
      db,
      imageCheckQueue,
      { ...check, waited: waited + checkIntervalSeconds },
      { group: iid, afterSeconds: checkIntervalSeconds },
    );
    return;
  }
  const images = (await listImages(db, iid, study)).filter((image) => canAnalyse(measurementInfo, image));
  await startAnalyses(db, { iid, engine: { source: "builtIn" }, images, by: null });
}
