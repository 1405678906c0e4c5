import { sql } from "kysely";
import type { Database, Db } from "../platform/database/database.ts";
import type { DomainEvent } from "../platform/events/events.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { jobs } from "../platform/runtime/services.ts";
import { fail, runAnalysis } from "./analysis.run.ts";
import { queues, startAnalyses, type AnalysisKey } from "./analysis.start.ts";
import type { EngineTrust } from "./engine-trust.ts";
import { imagesOf, looksAt } from "./images.ts";
import { measurementInfo } from "@arcada/analysis/measure/info";

interface Look {
  iid: string;
  study: string;
  waited: number;
}
const lookQueue = "analysis.look";

/** New images are measured automatically, soon after the uploader sees them. */
export async function measureWhenReady(db: Db, happening: DomainEvent): Promise<void> {
  if (happening.name !== "studyReady" || happening.again) return;
  const look: Look = { iid: happening.institution, study: happening.studyId, waited: 0 };
  await jobs().send(db, lookQueue, look, { singletonKey: look.study, afterSeconds: lookEvery });
}
const lookEvery = 3;
/** After this many seconds of continuing uploads, the images that are here are measured anyway. */
const waitsMost = 600;

export async function registerAnalysis(queue: Jobs, database: Database, trust: EngineTrust): Promise<void> {
  const run = (key: AnalysisKey, signal: AbortSignal) => runAnalysis({ database, trust }, key, signal);
  const whenDead = (key: AnalysisKey) => database.asSystem((db) => fail(db, key, "internal"));
  await queue.work<Look>(lookQueue, (look) => database.asSystem((db) => lookAt(db, look)));
  for (const name of Object.values(queues)) await queue.work<AnalysisKey>(name, run, { whenDead });
}

/** Uploads take precedence: measurement starts when no upload is being processed. */
async function lookAt(db: Db, look: Look): Promise<void> {
  const { iid, study, waited } = look;
  const busy = await sql`select from ingest_job where state in ('waiting', 'running')
    and created_at > now() - interval '1 hour' limit 1`.execute(db);
  if (busy.rows.length > 0 && waited < waitsMost) {
    await jobs().send(db, lookQueue, { ...look, waited: waited + lookEvery }, { afterSeconds: lookEvery });
    return;
  }
  const images = (await imagesOf(db, iid, study)).filter((image) => looksAt(measurementInfo, image));
  await startAnalyses(db, { iid, engine: { source: "builtIn" }, images, by: null });
}
