import { isEncapsulatedPdf } from "@arcada/imaging/dicom/encapsulated";
import type { FileKind } from "@arcada/imaging/recognise";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { Recognised, Refusal } from "./gather.ts";
import { instancesOfSeries, type KnownInstance } from "./ingest.store.ts";
import { ownersOf } from "./owner.ts";
import type { Readable } from "./plan.ts";
import { eachOf, type Run } from "./run.ts";
import { withPath, type Source } from "./source.ts";
import { pixelMs, pixelThreads, threads } from "./threads.ts";

/** `instance`: the file is indexed already. */
export type ReadFile = Source & Readable & { instance?: string };

/** Reads every file once: DICOM headers, the size of images, the surface of models. Unreadable files are refused. */
export async function readAll(run: Run, sources: readonly Recognised[], refused: Refusal[]): Promise<ReadFile[]> {
  const read: (ReadFile | null)[] = sources.map(() => null);
  const directories: string[] = [];
  let done = 0;
  await eachOf(sources, pixelThreads + 1, async (source, place) => {
    await run.step("reading", done / sources.length);
    const found = await readOne(run, source);
    if (typeof found === "string") refused.push({ name: source.name, refusal: found });
    else if (found === null) directories.push(source.name);
    else read[place] = found;
    done += 1;
  });
  const known = read.filter((file) => file !== null);
  // A DICOMDIR needs no message beside the files that it lists; a DICOMDIR alone does, because people take it for the
  // images.
  if (known.length === 0) for (const name of directories) refused.push({ name, refusal: "fileDirectoryOnly" });
  // A material without a surface has no use.
  if (known.some(({ format }) => format === "obj")) return known;
  for (const { name, format } of known) if (format === "mtl") refused.push({ name, refusal: "fileUnsupported" });
  return known.filter(({ format }) => format !== "mtl");
}

/** Null: a file that belongs to a medium, such as DICOMDIR, and is not an image. */
async function readOne(run: Run, source: Recognised): Promise<ReadFile | RefusalName | null> {
  const { kind } = source;
  if (kind === "dicom") return readDicomFile(run, source);
  if (
    kind === "jpeg" ||
    kind === "png" ||
    kind === "tiff" ||
    kind === "stl" ||
    kind === "ply" ||
    kind === "obj" ||
    kind === "pdf"
  )
    return lookAt(run, source, kind);
  if (kind === "unknown" && isMaterial(source)) return lookAt(run, source, "mtl");
  return refusalOf(kind, source.name);
}

const materialBytes = 1024 * 1024;
const isMaterial = ({ name, bytes }: Source): boolean => /\.mtl$/i.test(name) && bytes <= materialBytes;

const directory = "1.2.840.10008.1.3.10";

async function readDicomFile(run: Run, source: Source): Promise<ReadFile | RefusalName | null> {
  const answer = await withPath(run.key.iid, source, (path) => run.headers.of({ path, bytes: source.bytes }));
  if ("refusal" in answer) return answer.refusal;
  const { header, sha256 } = answer.value;
  if (header.sopClassUid === directory) return null;
  return header.hasPixels || header.presentation || isEncapsulatedPdf(header)
    ? { ...source, format: "dicom", header, sha256 }
    : "fileNoPicture";
}

type Looked = "jpeg" | "png" | "tiff" | "stl" | "ply" | "obj" | "mtl" | "pdf";

async function lookAt(run: Run, source: Source, format: Looked): Promise<ReadFile | RefusalName> {
  const answer = await withPath(run.key.iid, source, (path) =>
    threads().pixels.run(
      { do: "look", path, format },
      {
        timeoutMs: pixelMs(source.bytes),
        signal: run.signal,
        inputBytes: source.bytes,
        group: run.key.iid,
      },
    ),
  );
  if ("refusal" in answer) return answer.refusal;
  const { picture, textures = [] } = answer.value.did === "look" ? answer.value : { picture: null };
  if (format === "mtl") return { ...source, format, textures };
  if (format !== "jpeg" && format !== "png" && format !== "tiff") return { ...source, format };
  return picture ? { ...source, format, picture } : "fileBroken";
}

/**
 * Returns the reason why a file of this kind is refused. A known extension with unsuitable content gets a reason of its
 * own.
 */
function refusalOf(kind: FileKind, name: string): RefusalName {
  if (kind === "empty") return "fileEmpty";
  if (kind === "archive") return "unzipFirst";
  if (kind !== "unknown") return "fileUnsupported";
  if (/\.(dcm|dicom)$/i.test(name)) return "fileNotDicom";
  if (/\.zip$/i.test(name)) return "zipBroken";
  return /\.(stl|ply|obj|jpe?g|png|tiff?|pdf)$/i.test(name) ? "fileBroken" : "fileUnknown";
}

/**
 * Reads earlier slices of a series again if more slices come now, so that all of them make one volume. Slices that come
 * a second time are left out in favour of the earlier ones.
 */
export async function joinEarlier(run: Run, read: readonly ReadFile[]): Promise<ReadFile[]> {
  const earlier = await earlierOf(run, read);
  if (earlier.length === 0) return [...read];
  const known = new Set(earlier.map(({ sha256 }) => sha256));
  const isRepeated = (file: ReadFile) => file.format === "dicom" && known.has(file.sha256);
  const grows = new Set(
    read.flatMap((file) => (file.format === "dicom" && !isRepeated(file) ? [file.header.seriesInstanceUid] : [])),
  );
  const joined: ReadFile[] = [];
  await eachOf(
    earlier.filter(({ series_uid }) => grows.has(series_uid)),
    pixelThreads + 1,
    async ({ id, name, bytes, sha256 }) => {
      const again = await readDicomFile(run, { name, sent: name, bytes, at: { sha256 } });
      if (again !== null && typeof again !== "string") joined.push({ ...again, instance: id });
    },
  );
  return [
    ...joined,
    ...read.filter((file) => file.format !== "dicom" || !grows.has(file.header.seriesInstanceUid) || !isRepeated(file)),
  ];
}

/** Returns the indexed instances of the series of these files, from the patients who have their studies. */
async function earlierOf(run: Run, read: readonly ReadFile[]): Promise<KnownInstance[]> {
  return run.as(async (db) => {
    const owners = await ownersOf(db, run.job, read);
    const headers = read.flatMap((file) =>
      file.format === "dicom" && file.header.seriesInstanceUid ? [file.header] : [],
    );
    const found: KnownInstance[] = [];
    for (const [patient, ofOwner] of Map.groupBy(
      headers,
      // A study that waits for an answer has no patient, even if one was chosen.
      ({ studyInstanceUid: uid }) => (owners.has(uid) ? owners.get(uid)!.patient : run.job.patient_id),
    ))
      found.push(
        ...(await instancesOfSeries(db, run.key.iid, patient, [
          ...new Set(ofOwner.map(({ seriesInstanceUid }) => seriesInstanceUid)),
        ])),
      );
    return found;
  });
}
