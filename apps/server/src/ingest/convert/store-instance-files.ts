import type { Selectable } from "kysely";
import { coarseCopyThreshold } from "@arcada/imaging/surface/coarse-copy";
import { requestCoarseCopy } from "../../domain/coarse-copy-queue.ts";
import type { TaskResult } from "../../platform/runtime/worker-pool.ts";
import type { InstanceTable } from "../../tables/schema.generated.ts";
import * as study from "../../study/conversion.writes.ts";
import type { JobRun } from "../job-run.ts";
import { jawInName } from "../study/plan-studies.ts";
import type { ConvertedModel, PixelResult } from "./pixel-task-types.ts";
import { saveIfRunning, storeDerivedFile, storeDerivedFiles } from "./store-derived-files.ts";

type Instance = Selectable<InstanceTable>;

/** Stores the files that a task made of an image, a model or a document, or records its fault. */
export async function storeInstanceFiles(
  run: JobRun,
  instance: Instance,
  result: TaskResult<PixelResult>,
): Promise<void> {
  if ("refusal" in result) return saveIfRunning(run, (db) => study.saveFault(db, instance, result.refusal));
  const converted = result.value;
  if (converted.did === "model") return storeModel(run, instance, converted);
  if (converted.did === "document") {
    const file = converted.file && (await storeDerivedFile(run, converted.file));
    return saveIfRunning(run, (db) => study.saveDocument(db, instance, file));
  }
  if (converted.did === "video")
    return saveIfRunning(run, async (db) => void (await study.saveVideo(db, instance, converted.info)));
  if (converted.did !== "picture") throw new Error(`a thread answered ${converted.did}`);
  const [thumbnail, ...pictures] = await storeDerivedFiles(run, [
    converted.thumbnail,
    ...converted.images,
    ...converted.overlays,
  ]);
  const images = pictures.slice(0, converted.images.length);
  const overlays = pictures.slice(converted.images.length);
  return saveIfRunning(run, (db) =>
    study.saveImage(db, instance, { info: converted.info, images, overlays, thumbnail: thumbnail! }),
  );
}

async function storeModel(run: JobRun, instance: Instance, converted: ConvertedModel): Promise<void> {
  const glb = await storeDerivedFile(run, converted.glb);
  const thumbnail = await storeDerivedFile(run, converted.thumbnail);
  const { encapsulated } = converted;
  const surface = encapsulated ? await storeDerivedFile(run, encapsulated.surface) : null;
  const document = encapsulated ? await storeDerivedFile(run, encapsulated.document) : null;
  const info = { ...converted.info, jaw: jawInName(instance.name) };
  const scan = { study: instance.study_id, instance: instance.id };
  await saveIfRunning(run, async (db) => {
    await study.saveModel(db, instance, { info, glb, surface, thumbnail });
    if (document) await study.saveDocument(db, instance, document);
    if (converted.isMissingMaterial) await study.recordMissingMaterial(db, instance);
    if (info.triangles > coarseCopyThreshold) await requestCoarseCopy(db, { iid: run.key.iid, glb: glb.sha256, scan });
  });
}
