import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Selectable } from "kysely";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { Stored } from "../platform/storage/file-store.ts";
import { Refused } from "../platform/http/refuse.ts";
import { files, jobs } from "../platform/runtime/services.ts";
import type { InstanceTable, SeriesTable } from "../tables/study.ts";
import * as store from "./convert.store.ts";
import { noteContents } from "./content.store.ts";
import { holdJob } from "./ingest.store.ts";
import type { Made, PixelResult, PixelTask, ShownVolume, VolumeStep } from "./pixel-tasks.ts";
import { jawOf } from "./plan.ts";
import { Cancelled, eachOf, flushesAtOnce, someAtOnce, type Run } from "./run.ts";
import type { Db } from "../platform/database/database.ts";
import { pixelMs, pixelThreads, threads } from "./threads.ts";
import type { Answer } from "../platform/runtime/worker-pool.ts";

type Series = Selectable<SeriesTable>;
type Instance = Selectable<InstanceTable>;

/**
 * Makes the files that viewers stream of these studies. Files that exist already stay, so that a job that was killed
 * can resume.
 */
export async function convertStudies(run: Run, studies: readonly string[]): Promise<void> {
  for (const id of studies)
    await save(run, async (db) => {
      const { volumes } = await store.workOf(db, run.key.iid, id);
      if (volumes.length === 0) await readForDicomweb(db, run, id);
    });
  for (const [place, id] of studies.entries()) {
    const step = (share: number) => run.step("converting", (place + share) / studies.length);
    await step(0);
    const first = await run.as((db) => store.workOf(db, run.key.iid, id));
    for (const [at, series] of first.volumes.entries())
      await convertVolume(run, series, (share) => step((at + share) / (first.volumes.length + 1)));
    // A volume that could not be built has become single images.
    const { singles, states } = await run.as((db) => store.workOf(db, run.key.iid, id));
    let done = 0;
    await eachOf(singles, pixelThreads, async (instance) => {
      await convertSingle(run, instance, states);
      await step(++done / singles.length);
    });
    await save(run, async (db) => {
      await store.finishStudy(db, run.key.iid, id, run.job.again);
      await readForDicomweb(db, run, id);
    });
  }
}

/**
 * Starts the DICOMweb index. A volume is indexed only once it can be viewed: earlier, the index would take processor
 * time from those who wait for its images.
 */
async function readForDicomweb(db: Db, { key: { iid }, job }: Run, study: string): Promise<void> {
  if (!job.again) await jobs().send(db, "dicomweb.index", { iid, study }, { singletonKey: study });
}

/** Writes only while the job runs, so that data that a cancelled job has removed do not come back. */
const save = (run: Run, work: (db: Db) => Promise<void>): Promise<void> =>
  run.as(async (db) => {
    if (!(await holdJob(db, run.key))) throw new Cancelled();
    await work(db);
  });

async function convertVolume(run: Run, series: Series, step: (share: number) => Promise<void>): Promise<void> {
  const slices = await run.as((db) => store.slicesOf(db, run.key.iid, series.id));
  const answer = await withPaths(
    run.key.iid,
    slices.map(({ sha256 }) => sha256),
    (paths) =>
      inFolder(run, series.id, async (out) => {
        const keeping = someAtOnce(flushesAtOnce);
        const onStep = async (message: unknown): Promise<void> => {
          const { share, shown, group } = message as VolumeStep;
          if (shown) await showVolume(run, series, shown);
          if (group) await keeping.add(() => keepGroup(run, series, group));
          await step(share);
        };
        const task = async (): Promise<PixelTask> => {
          await keeping.done();
          const have = await run.as((db) => store.groupsOf(db, series));
          return { do: "volume", paths, out, have };
        };
        const inputBytes = slices.reduce((sum, { bytes }) => sum + bytes, 0);
        const options = {
          timeoutMs: volumeMs,
          signal: run.signal,
          onStep,
          isLarge: true,
          inputBytes,
          group: run.key.iid,
        } as const;
        return pixels(task, options).finally(() => keeping.done());
      }),
  ).catch(originalGone);
  if ("value" in answer) {
    const arch = answer.value.did === "volume" ? answer.value.arch : null;
    return save(run, (db) => store.endVolume(db, series, arch));
  }
  const problem = { code: answer.refusal, detail: "" };
  return save(run, (db) =>
    ourTrouble.includes(answer.refusal)
      ? store.noteProblem(db, series, problem)
      : store.makePictures(db, series, problem),
  );
}

/** Problems that are not the fault of the files: the volume stays a volume, to be tried again. */
const ourTrouble: readonly RefusalName[] = ["fileDamaged", "conversionDied", "fileTooSlow"];

/** Each group is stored as soon as it exists, so that a job that was killed resumes after it. */
async function keepGroup(
  run: Run,
  series: Series,
  { role, place, ...made }: NonNullable<VolumeStep["group"]>,
): Promise<void> {
  const group = await taken(run, made);
  await save(run, (db) => store.addFile(db, series, { ...group, role, place }));
}

type Options = Parameters<ReturnType<typeof threads>["pixels"]["run"]>[1];
/**
 * A thread may die because of its input, or because it was killed from outside. The second thread that dies on the same
 * input is not tried again.
 */
async function pixels(task: () => Promise<PixelTask>, options: Options): Promise<Answer<PixelResult>> {
  const first = await threads().pixels.run(await task(), options);
  if (!("died" in first)) return first;
  const second = await threads().pixels.run(await task(), options);
  return "died" in second ? { refusal: "conversionDied" } : second;
}

/** An original that the store has lost becomes a refusal for its file: the rest continues. */
function originalGone(error: unknown): { refusal: RefusalName } {
  if (error instanceof Refused && ["notFound", "fileDamaged"].includes(error.refusal))
    return { refusal: "fileDamaged" };
  throw error;
}

const volumeMs = 30 * 60_000;

/** From here on the volume can be viewed, while its slices follow. */
async function showVolume(run: Run, series: Series, { info, preview, ...made }: ShownVolume): Promise<void> {
  const thumbnail = await taken(run, made.thumbnail);
  const firstLook = await taken(run, made.files.firstLook);
  const files = { preview: await taken(run, made.files.preview), firstLook };
  await save(run, async (db) => {
    await store.showVolume(db, series, { info, preview, thumbnail, files });
    await readForDicomweb(db, run, series.study_id);
  });
}

/** @param states contents of the study's presentation states, by which its images are displayed */
async function convertSingle(run: Run, instance: Instance, states: readonly string[]): Promise<void> {
  // A PDF is opened in its original form.
  if (instance.format === "pdf") return save(run, (db) => store.saveDocument(db, instance, null));
  await inFolder(run, instance.id, async (out) => {
    const dress = instance.format === "obj" ? await run.as((db) => store.dressOf(db, instance)) : [];
    const beside = instance.format === "dicom" ? states : dress.map(({ sha256 }) => sha256);
    const contents = [instance.sha256, ...beside];
    const options = {
      timeoutMs: pixelMs(instance.bytes),
      signal: run.signal,
      inputBytes: instance.bytes,
      group: run.key.iid,
    };
    const answer = await withPaths(run.key.iid, contents, (paths) =>
      pixels(async () => taskOf(instance, dress, paths, out), options),
    ).catch(originalGone);
    await keep(run, instance, answer);
  });
}

function taskOf(
  { format, name }: Instance,
  dress: readonly { name: string }[],
  [at = "", ...beside]: string[],
  out: string,
): PixelTask {
  if (format === "dicom") return { do: "dicomPicture", path: at, states: beside, out };
  if (format === "mtl" || format === "pdf") throw new Error(`nothing is made of ${format} by itself`);
  return format === "jpeg" || format === "png" || format === "tiff"
    ? { do: "plainPicture", path: at, format, out }
    : {
        do: "model",
        path: at,
        format,
        jaw: jawOf(name),
        dress: dress.map((other, place) => ({ name: other.name, path: beside[place]! })),
        out,
      };
}

async function keep(run: Run, instance: Instance, answer: Answer<PixelResult>): Promise<void> {
  if ("refusal" in answer) return save(run, (db) => store.saveFault(db, instance, answer.refusal));
  const made = answer.value;
  if (made.did === "model") {
    const [glb, thumbnail] = [await taken(run, made.glb), await taken(run, made.thumbnail)];
    const info = { ...made.info, jaw: jawOf(instance.name) };
    return save(run, async (db) => {
      await store.saveModel(db, instance, { info, glb, thumbnail });
      if (made.undressed) await store.noteUndressed(db, instance);
    });
  }
  if (made.did === "document") {
    const file = await taken(run, made.file);
    return save(run, (db) => store.saveDocument(db, instance, file));
  }
  if (made.did !== "picture") throw new Error(`a thread answered ${made.did}`);
  const pictures: store.TypedFile[] = [];
  for (const picture of made.pictures) pictures.push(await taken(run, picture));
  const overlays: store.TypedFile[] = [];
  for (const overlay of made.overlays) overlays.push(await taken(run, overlay));
  const thumbnail = await taken(run, made.thumbnail);
  return save(run, (db) => store.savePicture(db, instance, { info: made.info, pictures, overlays, thumbnail }));
}

async function taken(run: Run, { path: at, sha256, type }: Made): Promise<Stored & { type: string }> {
  await run.as((db) => noteContents(db, run.key, "converted", [sha256]));
  return { ...(await files().adopt("converted", run.key.iid, at, { sha256 })), type };
}

async function inFolder<T>(run: Run, name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = path.join(run.folder, name);
  await mkdir(folder, { recursive: true });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Passes the local paths of all contents to `work` at once. */
function withPaths<T>(
  iid: string,
  contents: readonly string[],
  work: (paths: string[]) => Promise<T>,
  paths: string[] = [],
): Promise<T> {
  const next = contents[paths.length];
  return next === undefined
    ? work(paths)
    : files().local("originals", iid, next, (at) => withPaths(iid, contents, work, [...paths, at]));
}
