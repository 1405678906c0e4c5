import { isDocumentObject } from "@arcada/imaging/dicom/parse/document-object";
import type { FileKind } from "@arcada/imaging/file-kind";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { RecognisedSource, RefusedFile } from "./unpack-sources.ts";
import { findSeriesInstances, isAnySeriesKnown, type KnownInstance } from "../ingest.store.ts";
import { findOwnersByUid } from "../study/study-owner.ts";
import type { ReadableFile } from "../study/plan-studies.ts";
import { divideIntoBatches } from "../../platform/storage/file-batches.ts";
import { forEachConcurrent } from "../../platform/runtime/concurrency.ts";
import type { TaskResult } from "../../platform/runtime/worker-pool.ts";
import { withLocalPaths } from "../../platform/storage/local-paths.ts";
import type { ReadHeader } from "./dicom-header.worker.ts";
import type { JobRun } from "../job-run.ts";
import { withLocalPath, type ImportSource } from "./import-source.ts";
import { pixelMs, pixelThreads, workerPools } from "../worker-pools.ts";

/** `instance`: the file is indexed already. */
export type ReadFile = ImportSource & ReadableFile & { instance?: string };

/** Reads every file once: DICOM headers, the size of images, the surface of models. Unreadable files are refused. */
export async function readFiles(
  run: JobRun,
  sources: readonly RecognisedSource[],
  refused: RefusedFile[],
): Promise<ReadFile[]> {
  const read: (ReadFile | null)[] = sources.map(() => null);
  const directories: string[] = [];
  const refusals: (RefusedFile | null)[] = sources.map(() => null);
  let done = 0;
  const note = (found: SourceOutcome, { source, place }: PlacedSource) => {
    if (typeof found === "string") refusals[place] = { name: source.name, refusal: found };
    else if (found === null) directories.push(source.name);
    else read[place] = found;
    done += 1;
  };
  const placed = sources.map((source, place) => ({ source, place, bytes: source.bytes }));
  const [stored, others] = [placed.filter(isStoredDicom), placed.filter((one) => !isStoredDicom(one))];
  const batches = [...divideIntoBatches(stored, readAtOnce), ...others.map((one) => [one])];
  await forEachConcurrent(batches, pixelThreads + 1, async (batch) => {
    await run.step("reading", done / sources.length);
    const found = await readBatch(run, batch);
    for (const [at, one] of batch.entries()) note(found[at]!, one);
  });
  // The first one names the reason of a job that fails: it does not depend on which file was read first.
  refused.push(...refusals.filter((one) => one !== null));
  const known = read.filter((file) => file !== null);
  // A DICOMDIR needs no message next to the files that it lists; a DICOMDIR alone does, because people mistake it for
  // the images.
  if (known.length === 0) for (const name of directories) refused.push({ name, refusal: "fileDirectoryOnly" });
  // A material without a surface has no use.
  if (known.some(({ format }) => format === "obj")) return known;
  for (const { name, format } of known) if (format === "mtl") refused.push({ name, refusal: "fileUnsupported" });
  return known.filter(({ format }) => format !== "mtl");
}

/** Null: a file that belongs to a medium, such as DICOMDIR, and is not an image. */
type SourceOutcome = ReadFile | RefusalName | null;
/** A source, and its place among all. */
interface PlacedSource {
  source: RecognisedSource;
  place: number;
}

/** Small files share a task. The thread of a task is not free for other institutions before it has read all of them. */
const readAtOnce = { files: 16, bytes: 4 * 1024 * 1024 } as const;
const isStoredDicom = ({ source }: PlacedSource): boolean => source.kind === "dicom" && "sha256" in source.at;

const readBatch = async (run: JobRun, batch: readonly PlacedSource[]): Promise<SourceOutcome[]> =>
  batch.every(isStoredDicom)
    ? readStoredDicomFiles(
        run,
        batch.map(({ source }) => source),
      )
    : Promise.all(batch.map(({ source }) => readSource(run, source)));

async function readSource(run: JobRun, source: RecognisedSource): Promise<SourceOutcome> {
  const { kind } = source;
  if (kind === "dicom") return readDicomFile(run, source);
  if (
    kind === "jpeg" ||
    kind === "png" ||
    kind === "tiff" ||
    kind === "stl" ||
    kind === "ply" ||
    kind === "obj" ||
    kind === "3mf" ||
    kind === "pdf" ||
    kind === "mp4"
  )
    return inspectFile(run, source, kind);
  if (kind === "unknown" && isMaterial(source)) return inspectFile(run, source, "mtl");
  return refusalForKind(kind, source.name);
}

const materialBytes = 1024 * 1024;
const isMaterial = ({ name, bytes }: ImportSource): boolean => /\.mtl$/i.test(name) && bytes <= materialBytes;

const directory = "1.2.840.10008.1.3.10";

const readDicomFile = async (run: JobRun, source: ImportSource): Promise<SourceOutcome> =>
  toDicomFile(
    source,
    await withLocalPath(run.key.iid, source, (path) => run.headers.get({ path, bytes: source.bytes })),
  );

async function readStoredDicomFiles(run: JobRun, sources: readonly ImportSource[]): Promise<SourceOutcome[]> {
  const contents = sources.flatMap(({ at }) =>
    "sha256" in at ? [{ area: "originals" as const, sha256: at.sha256 }] : [],
  );
  const read = await withLocalPaths(run.key.iid, contents, (paths) =>
    run.headers.getStored(paths.map((path, place) => ({ path, bytes: sources[place]!.bytes }))),
  );
  return sources.map((source, place) => toDicomFile(source, read[place]!));
}

function toDicomFile(source: ImportSource, result: TaskResult<ReadHeader>): SourceOutcome {
  if ("refusal" in result) return result.refusal;
  const { header, sha256 } = result.value;
  if (header.sopClassUid === directory) return null;
  return header.hasPixels || header.presentation || isDocumentObject(header)
    ? { ...source, format: "dicom", header, sha256 }
    : "fileNoPicture";
}

type InspectedFormat = "jpeg" | "png" | "tiff" | "stl" | "ply" | "obj" | "3mf" | "mtl" | "pdf" | "mp4";

async function inspectFile(
  run: JobRun,
  source: ImportSource,
  format: InspectedFormat,
): Promise<ReadFile | RefusalName> {
  const result = await withLocalPath(run.key.iid, source, (path) =>
    workerPools().pixels.run(
      { do: "look", path, format },
      {
        timeoutMs: pixelMs(source.bytes),
        signal: run.signal,
        inputBytes: source.bytes,
        group: run.key.iid,
      },
    ),
  );
  if ("refusal" in result) return result.refusal;
  const { picture: image, textures = [] } = result.value.did === "look" ? result.value : { picture: null };
  if (format === "mtl") return { ...source, format, textures };
  if (format !== "jpeg" && format !== "png" && format !== "tiff") return { ...source, format };
  return image ? { ...source, format, image } : "fileBroken";
}

/**
 * Returns the reason why a file of this kind is refused. A known extension with unsuitable content gets a reason of its
 * own.
 */
function refusalForKind(kind: FileKind, name: string): RefusalName {
  if (kind === "empty") return "fileEmpty";
  if (kind === "archive") return "unzipFirst";
  if (kind === "heic") return "fileHeic";
  if (kind !== "unknown") return "fileUnsupported";
  if (/\.(dcm|dicom)$/i.test(name)) return "fileNotDicom";
  if (/\.zip$/i.test(name)) return "zipBroken";
  return /\.(stl|ply|obj|3mf|jpe?g|png|tiff?|pdf|mp4|m4v|mov)$/i.test(name) ? "fileBroken" : "fileUnknown";
}

/**
 * Reads earlier slices of a series again if more slices come now, so that all of them make one volume. Slices that come
 * a second time are left out in favour of the earlier ones.
 */
export async function addEarlierSlices(run: JobRun, read: readonly ReadFile[]): Promise<ReadFile[]> {
  const earlier = await findEarlierInstances(run, read);
  if (earlier.length === 0) return [...read];
  const known = new Set(earlier.map(({ sha256 }) => sha256));
  const isRepeated = (file: ReadFile) => file.format === "dicom" && known.has(file.sha256);
  const growing = new Set(
    read.flatMap((file) => (file.format === "dicom" && !isRepeated(file) ? [file.header.seriesInstanceUid] : [])),
  );
  const joined: ReadFile[] = [];
  const growingFiles = earlier.filter(({ series_uid }) => growing.has(series_uid));
  await forEachConcurrent(divideIntoBatches(growingFiles, readAtOnce), pixelThreads + 1, async (batch) => {
    const sources = batch.map(({ name, bytes, sha256 }) => ({ name, uploadName: name, bytes, at: { sha256 } }));
    for (const [at, reread] of (await readStoredDicomFiles(run, sources)).entries())
      if (reread !== null && typeof reread !== "string") joined.push({ ...reread, instance: batch[at]!.id });
  });
  return [
    ...joined,
    ...read.filter(
      (file) => file.format !== "dicom" || !growing.has(file.header.seriesInstanceUid) || !isRepeated(file),
    ),
  ];
}

/** Returns the indexed instances of the series of these files, from the patients who have their studies. */
async function findEarlierInstances(run: JobRun, read: readonly ReadFile[]): Promise<KnownInstance[]> {
  const headers = read.flatMap((file) =>
    file.format === "dicom" && file.header.seriesInstanceUid ? [file.header] : [],
  );
  if (headers.length === 0) return [];
  return run.as(async (db) => {
    // Most series are new, and whose they are is not yet asked.
    const uids = [...new Set(headers.map(({ seriesInstanceUid }) => seriesInstanceUid))];
    if (!(await isAnySeriesKnown(db, run.key.iid, uids))) return [];
    const owners = await findOwnersByUid(db, run.job, read);
    const found: KnownInstance[] = [];
    for (const [patient, ofOwner] of Map.groupBy(
      headers,
      // A study that waits for an answer has no patient, even if one was chosen.
      ({ studyInstanceUid: uid }) => (owners.has(uid) ? owners.get(uid)!.patient : run.job.patient_id),
    ))
      found.push(
        ...(await findSeriesInstances(db, run.key.iid, patient, [
          ...new Set(ofOwner.map(({ seriesInstanceUid }) => seriesInstanceUid)),
        ])),
      );
    return found;
  });
}
