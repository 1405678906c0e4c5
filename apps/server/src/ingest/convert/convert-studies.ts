import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Selectable } from "kysely";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { Refused } from "../../platform/http/refuse.ts";
import { createTaskPool, forEachConcurrent } from "../../platform/runtime/concurrency.ts";
import { withLocalPaths } from "../../platform/storage/local-paths.ts";
import type { InstanceTable, SeriesTable } from "../../tables/schema.generated.ts";
import * as study from "../../study/conversion.writes.ts";
import * as store from "./convert.store.ts";
import { saveIfRunning, storeDerivedFile } from "./store-derived-files.ts";
import { storeInstanceFiles } from "./store-instance-files.ts";
import type { PixelResult, PixelTask, PublishedVolume, VolumeStep } from "./pixel-task-types.ts";
import { jawInName } from "../study/plan-studies.ts";
import { findJobOutage } from "../transient-error.ts";
import { JobCancelled, maxFlushes, type JobRun } from "../job-run.ts";
import type { Db } from "../../platform/database/database.ts";
import { pixelMs, pixelThreads, workerPools } from "../worker-pools.ts";
import type { TaskResult } from "../../platform/runtime/worker-pool.ts";
import { yieldToIndex, type IngestMessage } from "../../domain/ingest-queue.ts";
import { sendIndexJobs } from "../../domain/dicomweb-index-queue.ts";

type Series = Selectable<SeriesTable>;
type Instance = Selectable<InstanceTable>;

/**
 * Makes the files that viewers stream of these studies, or puts that off (see `yieldToIndex`). Files that exist already
 * stay, so that a job that was killed can resume.
 */
export async function convertStudies(
  run: JobRun,
  studies: readonly string[],
  message: Pick<IngestMessage, "outages" | "yields">,
): Promise<"done" | "yields"> {
  const withVolume = new Set<string>();
  await saveIfRunning(run, async (db) => {
    for (const id of await store.listStudiesWithPendingVolume(db, run.key.iid, studies)) withVolume.add(id);
    // An earlier run that was put off has sent them.
    if (message.yields !== undefined) return;
    await queueDicomwebIndex(
      db,
      run,
      studies.filter((id) => !withVolume.has(id)),
    );
  });
  // A volume is found when it is converted.
  const mayYield = message.yields === undefined && withVolume.size === 0;
  if (mayYield && (await run.as((db) => yieldToIndex(db, run.job, message)))) return "yields";
  const failures: unknown[] = [];
  for (const [place, id] of studies.entries())
    try {
      await convertStudy(run, id, withVolume.has(id), (share) =>
        run.step("converting", (place + share) / studies.length),
      );
    } catch (error) {
      if (error instanceof JobCancelled || run.signal.aborted || studies.length === 1) throw error;
      // The studies of other patients must not wait for one that fails, which the next attempt tries again.
      failures.push(error);
    }
  // An outage makes the job wait, instead of using up its attempts.
  if (failures.length > 0) throw failures.find((failure) => findJobOutage(failure)) ?? failures[0];
  return "done";
}

async function convertStudy(
  run: JobRun,
  id: string,
  hasVolume: boolean,
  step: (share: number) => Promise<void>,
): Promise<void> {
  await step(0);
  const readPending = () => run.as((db) => store.findPendingWork(db, run.key.iid, id));
  let pending = await readPending();
  for (const [at, series] of pending.volumes.entries())
    await convertVolume(run, series, (share) => step((at + share) / (pending.volumes.length + 1)));
  // A volume that could not be built has become single images.
  if (pending.volumes.length > 0) pending = await readPending();
  const { singles, states } = pending;
  let done = 0;
  await forEachConcurrent(singles, pixelThreads, async (instance) => {
    await convertInstance(run, instance, states);
    await step(++done / singles.length);
  });
  await saveIfRunning(run, async (db) => {
    await study.finishStudy(db, run.key.iid, id, run.job.again);
    if (hasVolume) await queueDicomwebIndex(db, run, [id]);
  });
}

/**
 * Starts the DICOMweb index. A volume is indexed only once it can be viewed: earlier, the index would take processor
 * time from those who wait for its images.
 */
async function queueDicomwebIndex(db: Db, { key: { iid }, job }: JobRun, studies: readonly string[]): Promise<void> {
  if (!job.again) await sendIndexJobs(db, iid, job.id, studies);
}

async function convertVolume(run: JobRun, series: Series, step: (share: number) => Promise<void>): Promise<void> {
  const slices = await run.as((db) => store.readSlices(db, run.key.iid, series.id));
  const { result, archImages } = await withOriginals(
    run.key.iid,
    slices.map(({ sha256 }) => sha256),
    (paths) =>
      withFolder(run, series.id, async (out) => {
        const storing = createTaskPool(maxFlushes);
        const onStep = async (message: unknown): Promise<void> => {
          const { share, published: shown, group } = message as VolumeStep;
          if (shown) await publishVolume(run, series, shown);
          if (group) await storing.add(() => storeGroup(run, series, group));
          await step(share);
        };
        const task = async (): Promise<PixelTask> => {
          await storing.done();
          const have = await run.as((db) => store.readGroups(db, series));
          return { do: "volume", paths, out, existing: have };
        };
        const inputBytes = slices.reduce((sum, { bytes }) => sum + bytes, 0);
        const options = {
          timeoutMs: volumeMs,
          signal: run.signal,
          onStep,
          isLarge: inputBytes > maxKeptBytes,
          inputBytes,
          group: run.key.iid,
        } as const;
        const converted = await runPixelTask(task, options).finally(() => storing.done());
        const images = "value" in converted && converted.value.did === "volume" ? converted.value.archImages : null;
        return { result: converted, archImages: images && (await storeDerivedFile(run, images)) };
      }),
  ).catch((error: unknown) => ({ result: refuseMissingSource(error), archImages: null }));
  if ("value" in result) {
    const arch = result.value.did === "volume" ? result.value.arch : null;
    return saveIfRunning(run, (db) => study.completeVolume(db, series, arch, archImages));
  }
  const problem = { code: result.refusal, detail: "" };
  return saveIfRunning(run, (db) =>
    retryableProblems.includes(result.refusal)
      ? study.recordProblem(db, series, problem)
      : study.degradeToImages(db, series, problem),
  );
}

/** Problems that are not the fault of the files: the volume stays a volume, to be tried again. */
const retryableProblems: readonly RefusalName[] = ["fileDamaged", "conversionDied", "fileTooSlow"];

/** Each group is stored as soon as it exists, so that a job that was killed resumes after it. */
async function storeGroup(
  run: JobRun,
  series: Series,
  { role, place, ...converted }: NonNullable<VolumeStep["group"]>,
): Promise<void> {
  const group = await storeDerivedFile(run, converted);
  await saveIfRunning(run, (db) => study.saveDerivedFile(db, series, { ...group, role, place }));
}

type Options = Parameters<ReturnType<typeof workerPools>["pixels"]["run"]>[1];
/**
 * A thread may die because of its input, or because it was killed from outside. The second thread that dies on the same
 * input is not tried again.
 */
async function runPixelTask(task: () => Promise<PixelTask>, options: Options): Promise<TaskResult<PixelResult>> {
  const first = await workerPools().pixels.run(await task(), options);
  if (!("died" in first)) return first;
  const second = await workerPools().pixels.run(await task(), options);
  return "died" in second ? { refusal: "conversionDied" } : second;
}

/** An original that the store has lost becomes a refusal for its file: the rest continues. */
function refuseMissingSource(error: unknown): { refusal: RefusalName } {
  if (error instanceof Refused && ["notFound", "fileDamaged"].includes(error.refusal))
    return { refusal: "fileDamaged" };
  throw error;
}

const volumeMs = 30 * 60_000;
/** A thread goes on after a volume up to this size: a new one would compile the code of the codec again. */
const maxKeptBytes = 16_000_000;

/** From here on the volume can be viewed, while its slices follow. */
async function publishVolume(
  run: JobRun,
  series: Series,
  { info, preview, ...converted }: PublishedVolume,
): Promise<void> {
  const thumbnail = await storeDerivedFile(run, converted.thumbnail);
  const firstLook = await storeDerivedFile(run, converted.files.firstLook);
  const files = { preview: await storeDerivedFile(run, converted.files.preview), firstLook };
  await saveIfRunning(run, async (db) => {
    await study.publishVolume(db, series, { info, preview, thumbnail, files });
    await queueDicomwebIndex(db, run, [series.study_id]);
  });
}

/** @param states contents of the study's presentation states, by which its images are displayed */
async function convertInstance(run: JobRun, instance: Instance, states: readonly string[]): Promise<void> {
  // A PDF is opened in its original form.
  if (instance.format === "pdf") return saveIfRunning(run, (db) => study.saveDocument(db, instance, null));
  await withFolder(run, instance.id, async (out) => {
    const materials = instance.format === "obj" ? await run.as((db) => store.readMaterials(db, instance)) : [];
    const companions = instance.format === "dicom" ? states : materials.map(({ sha256 }) => sha256);
    const contents = [instance.sha256, ...companions];
    const options = {
      timeoutMs: pixelMs(instance.bytes),
      signal: run.signal,
      inputBytes: instance.bytes,
      group: run.key.iid,
    };
    const result = await withOriginals(run.key.iid, contents, (paths) =>
      runPixelTask(async () => pixelTaskFor(instance, materials, paths, out), options),
    ).catch(refuseMissingSource);
    await storeInstanceFiles(run, instance, result);
  });
}

function pixelTaskFor(
  { format, name }: Instance,
  materials: readonly { name: string }[],
  [at = "", ...companions]: string[],
  out: string,
): PixelTask {
  if (format === "dicom") return { do: "dicomPicture", path: at, states: companions, out };
  if (format === "mtl" || format === "pdf") throw new Error(`nothing is made of ${format} by itself`);
  if (format === "mp4") return { do: "video", path: at };
  return format === "jpeg" || format === "png" || format === "tiff"
    ? { do: "plainPicture", path: at, format, out }
    : {
        do: "model",
        path: at,
        format,
        jaw: jawInName(name),
        materials: materials.map((other, place) => ({ name: other.name, path: companions[place]! })),
        out,
      };
}

async function withFolder<T>(run: JobRun, name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = path.join(run.folder, name);
  await mkdir(folder, { recursive: true });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const withOriginals = <T>(
  iid: string,
  contents: readonly string[],
  work: (paths: string[]) => Promise<T>,
): Promise<T> =>
  withLocalPaths(
    iid,
    contents.map((sha256) => ({ area: "originals", sha256 })),
    work,
  );
