import { rm } from "node:fs/promises";
import path from "node:path";
import type { FileKind } from "@arcada/imaging/file-kind";
import { studyRules } from "@arcada/contract/study/study.rules";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { Refused } from "../../platform/http/refuse.ts";
import { finishUploads } from "../../platform/upload/finish-uploads.ts";
import { readStorageUsage } from "../../platform/upload/storage-quota.ts";
import { readUploadSizes } from "../../platform/upload/upload-rows.ts";
import { divideIntoBatches } from "../../platform/storage/file-batches.ts";
import type { JobRun } from "../job-run.ts";
import { findOutage } from "../../platform/http/outages.ts";
import { recogniseSource, withLocalPath, type ImportSource } from "./import-source.ts";
import { workerPools, unzipMs } from "../worker-pools.ts";
import { zipAllowance, type UnpackAllowance, type UnpackedFile } from "../archive/unzip.ts";

export interface RefusedFile {
  name: string;
  refusal: RefusalName;
}
export type RecognisedSource = ImportSource & { kind: FileKind };
type ReceivedSource = ImportSource & { kind?: FileKind };

/** Moves the job's uploads into the store. The kind of those that came by DICOM is known. */
export async function receiveUploads(run: JobRun): Promise<ReceivedSource[]> {
  const { iid } = run.key;
  const { uploads, origin } = run.job;
  const isDicom = origin === "stow" || origin === "dimse";
  const sizes = await run.as((db) => readUploadSizes(db, iid, uploads));
  const sources: ReceivedSource[] = [];
  const announced = uploads.map((id) => ({ id, bytes: sizes.get(id) ?? 0 }));
  for (const batch of divideIntoBatches(announced, uploadsAtOnce)) {
    await run.step("receiving", sources.length / uploads.length);
    const ids = batch.map(({ id }) => id);
    for (const { id, name, bytes, sha256 } of await run.as((db) => finishUploads({ db }, iid, ids))) {
      const photoView = run.job.photo_views[id];
      sources.push({
        name,
        uploadName: name,
        bytes,
        ...(photoView && { photoView }),
        ...(isDicom && { kind: "dicom" as const }),
        at: { sha256 },
      });
    }
  }
  return sources;
}

// A transaction may not wait long for a slow store, and keeps the institution's store from being cleared meanwhile.
const uploadsAtOnce = { files: 32, bytes: 16 * 1024 * 1024 } as const;

/**
 * Unpacks archives and recognises the kind of every file. An archive with a fault is refused as a whole, the others
 * continue.
 */
export async function unpackSources(
  run: JobRun,
  sources: readonly ReceivedSource[],
  refused: RefusedFile[],
): Promise<RecognisedSource[]> {
  const allowance = zipAllowance(await storageLeft(run, sources));
  const found: RecognisedSource[] = [];
  for (const [place, source] of sources.entries()) {
    await run.step("unpacking", place / sources.length);
    found.push(
      ...(await openSource(run, source, {
        allowance,
        refused,
        folder: path.join(run.folder, String(place)),
        depth: 0,
      })),
    );
  }
  return found;
}

/** The space of an archive itself is released once its files are stored. */
async function storageLeft(run: JobRun, sources: readonly ImportSource[]): Promise<number> {
  const { stored, coming, allowed } = await run.as((db) => readStorageUsage(db, run.key.iid));
  return allowed - stored - coming + sources.reduce((sum, { bytes }) => sum + bytes, 0);
}

interface UnpackState {
  allowance: UnpackAllowance;
  refused: RefusedFile[];
  folder: string;
  depth: number;
}

async function openSource(run: JobRun, source: ReceivedSource, state: UnpackState): Promise<RecognisedSource[]> {
  const kind = source.kind ?? (await recogniseSource(run.key.iid, source));
  if (kind !== "zip" || isArchiveDocument(source.name)) return [{ ...source, kind }];
  const { allowance, refused, folder, depth } = state;
  const before = { ...allowance };
  try {
    if (depth > studyRules.zipDepth) throw new Refused("zipNested", null, false);
    const entries = await unpackArchive(run, source, state);
    const found: RecognisedSource[] = [];
    for (const [place, { name, path: at, bytes, kind: inner }] of entries.entries()) {
      await run.step("unpacking", 0.5);
      found.push(
        ...(await openSource(
          run,
          { name, uploadName: source.uploadName, bytes, at: { path: at }, kind: inner },
          { ...state, folder: path.join(folder, `in-${place}`), depth: depth + 1 },
        )),
      );
    }
    return found;
  } catch (error) {
    if (!(error instanceof Refused) || findOutage(error)) throw error;
    // A refused inner archive refuses the outer one too, so that nothing is imported by half.
    if (depth > 0) throw error;
    await rm(folder, { recursive: true, force: true });
    Object.assign(allowance, before);
    refused.push({ name: source.name, refusal: error.refusal });
    return [];
  }
}

async function unpackArchive(
  run: JobRun,
  source: ImportSource,
  { folder, allowance }: UnpackState,
): Promise<UnpackedFile[]> {
  const onStep = (file: unknown) => {
    const { kind, path: at, bytes } = file as UnpackedFile;
    if (kind === "dicom") run.headers.start({ path: at, bytes });
  };
  const isLarge = source.bytes > maxKeptBytes;
  const options = { timeoutMs: unzipMs(source.bytes), signal: run.signal, onStep, group: run.key.iid, isLarge };
  const open = () =>
    withLocalPath(run.key.iid, source, (archive) =>
      workerPools().archives.run({ archive, folder, allowance }, options),
    );
  let result = await open();
  // The thread may have died for another reason than its archive.
  if ("died" in result) {
    await rm(folder, { recursive: true, force: true });
    run.headers.clear();
    result = await open();
  }
  if ("refusal" in result)
    throw new Refused(result.refusal === "fileBroken" ? "zipBroken" : result.refusal, null, false);
  Object.assign(allowance, result.value.remaining);
  return result.value.files;
}

/** A thread goes on after an archive up to this size; after a larger one it ends, to free its memory for the conversion. */
const maxKeptBytes = 16_000_000;

/** Programs and documents that are archives inside: the discs of devices contain viewers of their own. */
const isArchiveDocument = (name: string): boolean =>
  /\.(docx|xlsx|pptx|od[tspg]|epub|jar|war|apk|xpi|kmz|cbz|whl|nupkg|vsix)$/i.test(name);
