import type { Selectable } from "kysely";
import { coarseCopyThreshold } from "@arcada/imaging/surface/coarse-copy";
import type { InstanceTable } from "../../tables/schema.generated.ts";
import * as study from "../../study/conversion.writes.ts";
import type { JobRun } from "../job-run.ts";
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
  // Made first: storing the streaming copy, which it is made from, moves that away.
  const made = await makeCoarseCopy(run, instance, converted, out);
  const glb = await storeDerivedFile(run, converted.glb);
  const coarse = made && (await storeDerivedFile(run, made.file));
  const thumbnail = await storeDerivedFile(run, converted.thumbnail);
  const { encapsulated } = converted;
  const surface = encapsulated ? await storeDerivedFile(run, encapsulated.surface) : null;
  const document = encapsulated ? await storeDerivedFile(run, encapsulated.document) : null;
  const info = {
    ...converted.info,
    jaw: jawInName(instance.name),
    // The streaming copy itself is off the source file.
    ...(made && { coarseError: made.error + (converted.info.glbError ?? 0) }),
  };
  await saveIfRunning(run, async (db) => {
    await study.saveModel(db, instance, { info, glb, coarse, surface, thumbnail });
    if (document) await study.saveDocument(db, instance, document);
    if (converted.isMissingMaterial) await study.recordMissingMaterial(db, instance);
  });
}

/** Null for a scan that needs none, and after any fault: viewers then show the streaming copy alone. */
async function makeCoarseCopy(
  run: JobRun,
  { bytes }: Selectable<InstanceTable>,
  { info, glb }: ConvertedModel,
  out: string,
): Promise<CoarseCopy | null> {
  if (info.triangles <= coarseCopyThreshold) return null;
  const result = await workerPools().pixels.run(
    { do: "coarseCopy", path: glb.path, out },
    { timeoutMs: pixelMs(bytes), signal: run.signal, group: run.key.iid, isLarge: true },
  );
  return "value" in result && result.value.did === "coarseCopy" ? result.value.coarse : null;
}
