import type { Selectable } from "kysely";
import { coarseCopyThreshold } from "@arcada/imaging/surface/coarse-copy";
import { notifyClients } from "../../platform/events/events.ts";
import { files } from "../../platform/runtime/services.ts";
import { logEvent } from "../../platform/telemetry/log.ts";
import { describeError } from "../../platform/telemetry/redact-error.ts";
import type { InstanceTable } from "../../tables/schema.generated.ts";
import * as study from "../../study/conversion.writes.ts";
import { JobCancelled, type JobRun } from "../job-run.ts";
import { jawInName } from "../study/plan-studies.ts";
import { pixelMs, workerPools } from "../worker-pools.ts";
import type { CoarseCopy, ConvertedModel } from "./pixel-task-types.ts";
import { saveIfRunning, storeDerivedFile } from "./store-derived-files.ts";

/** Stores the files of a converted scan. `out`: the folder in which they are. */
export async function storeModel(
  run: JobRun,
  instance: Selectable<InstanceTable>,
  converted: ConvertedModel,
  out: string,
): Promise<void> {
  const glb = await storeDerivedFile(run, converted.glb);
  const thumbnail = await storeDerivedFile(run, converted.thumbnail);
  const { encapsulated } = converted;
  const surface = encapsulated ? await storeDerivedFile(run, encapsulated.surface) : null;
  const document = encapsulated ? await storeDerivedFile(run, encapsulated.document) : null;
  const info = { ...converted.info, jaw: jawInName(instance.name) };
  const isLarge = info.triangles > coarseCopyThreshold;
  await saveIfRunning(run, async (db) => {
    await study.saveModel(db, instance, { info, glb, surface, thumbnail });
    if (document) await study.saveDocument(db, instance, document);
    if (converted.isMissingMaterial) await study.recordMissingMaterial(db, instance);
    if (isLarge) await notifyClients(db, { institutions: [run.key.iid] }, "study", run.key.job);
  });
  if (!isLarge) return;
  // The scan can be seen by now: a fault of the coarse copy must not make the queue repeat the whole.
  await storeCoarseCopy(run, instance, { glb: glb.sha256, glbError: info.glbError ?? 0, out }).catch(
    (error: unknown) => {
      if (error instanceof JobCancelled || run.signal.aborted) throw error;
      logEvent("warn", `ingest ${run.key.job}`, `coarse copy of a scan: ${describeError(error)}`);
    },
  );
}

/** Makes and stores the coarse copy; after a refusal there is none, and viewers show the streaming copy alone. */
async function storeCoarseCopy(
  run: JobRun,
  instance: Selectable<InstanceTable>,
  { glb, glbError, out }: { glb: string; glbError: number; out: string },
): Promise<void> {
  const made = await files().local("converted", run.key.iid, glb, (path) => makeCoarseCopy(run, instance, path, out));
  if (!made) return;
  const file = await storeDerivedFile(run, made.file);
  // The streaming copy, which it was made from, is itself off the source file.
  const error = made.error + glbError;
  await saveIfRunning(run, (db) => study.saveCoarseCopy(db, instance, { file, error }));
}

async function makeCoarseCopy(
  run: JobRun,
  { bytes }: Selectable<InstanceTable>,
  path: string,
  out: string,
): Promise<CoarseCopy | null> {
  const result = await workerPools().pixels.run(
    { do: "coarseCopy", path, out },
    { timeoutMs: pixelMs(bytes), signal: run.signal, group: run.key.iid, isLarge: true },
  );
  return "value" in result && result.value.did === "coarseCopy" ? result.value.coarse : null;
}
