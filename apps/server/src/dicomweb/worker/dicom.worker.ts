import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import sharp from "sharp";
import { DicomError } from "@arcada/imaging/dicom/dicom-error";
import { readCodestream } from "@arcada/imaging/dicom/pixels/codestream";
import { findFrameByteRange } from "@arcada/imaging/dicom/pixels/frame-byte-range";
import { isDocumentObject } from "@arcada/imaging/dicom/parse/document-object";
import { readDicomHeader, readObjectHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { readNativeFrame } from "@arcada/imaging/dicom/pixels/native-frame";
import { decodeFrame } from "@arcada/imaging/dicom/pixels/decode-frame";
import { readDicom, readDicomHead } from "@arcada/imaging/dicom/parse/read-dicom";
import { renderFrame } from "@arcada/imaging/dicom/pixels/render-frame";
import type { TaskResult, WorkerLoaded } from "../../platform/runtime/worker-pool.ts";
import { encodePlainDataSet } from "@arcada/imaging/dicom/write/encode-plain-data-set";
import { lookUpVr } from "../element-vrs.ts";
import { isLittleEndian } from "@arcada/imaging/dicom/parse/dicom-item";
import { baseUrlPlaceholder, toDicomJson, toLittleEndian, parseDataset } from "../dicom-json.ts";
import type {
  DicomResult,
  DicomTask,
  InstanceIdentity,
  RenderOptions,
  ReadStep,
  IndexedInstance,
} from "./dicom-task-types.ts";
import { instanceAttributes } from "../indexing/level-attributes.ts";
import type { DicomFile } from "@arcada/imaging/dicom/parse/dicom-file";

/** The thread that opens DICOM files for DICOMweb. */
parentPort?.postMessage({ loaded: true } satisfies WorkerLoaded);
parentPort?.on("message", (task: DicomTask) => void runTask(task).then((result) => parentPort?.postMessage(result)));

async function runTask(task: DicomTask): Promise<TaskResult<DicomResult>> {
  try {
    return { value: await executeTask(task) };
  } catch (error) {
    if (!(error instanceof DicomError)) return { refusal: "fileBroken" };
    return { refusal: refusalByReason[error.reason] };
  }
}

const refusalByReason = {
  notDicom: "fileNotDicom",
  truncated: "fileTruncated",
  noPixels: "fileNoPicture",
  unsupported: "fileUnsupported",
  bomb: "fileBomb",
} as const;

async function executeTask(task: DicomTask): Promise<DicomResult> {
  if (task.do === "identify")
    return { did: "identify", identity: readIdentity(readHead(task.path) ?? readDicom(readFileSync(task.path))) };
  if (task.do === "read") {
    for (const path of task.paths) parentPort?.postMessage({ step: readInstanceOrNull(path) satisfies ReadStep });
    return { did: "read" };
  }
  const file = readDicom(readFileSync(task.path));
  if (task.do === "plain")
    return { did: "plain", bytes: await encodePlainDataSet(file, { explicit: task.explicit, lookUpVr }) };
  if (task.do === "bulk") return { did: "bulk", bytes: readBulk(file, task.tag) };
  if (task.do === "picture") return { did: "picture", bytes: await renderImage(file, task.frame, task) };
  const frames: Uint8Array[] = [];
  const coded = isCoded(file);
  for (const frame of task.frames)
    frames.push(coded && task.stored ? readCodestream(file, frame).slice() : await decodePlainFrame(file, frame));
  return { did: "frames", frames, syntax: coded && task.stored ? file.transferSyntax : null };
}

function readBulk(file: DicomFile, tag: string): Uint8Array | null {
  const name = `x${tag.toLowerCase()}` as const;
  const bytes = file.rawValue(name);
  if (!bytes) return null;
  const vr = file.dataSet.elements[name]?.vr ?? lookUpVr(tag.toUpperCase());
  return toLittleEndian(vr, bytes, isLittleEndian(file.dataSet)).slice();
}

const head = Buffer.alloc(64 * 1024);
/**
 * Reads only the beginning of the file, because the sender waits for the result. Most files contain their identity
 * there.
 */
function readHead(path: string): DicomFile | null {
  const file = openSync(path, "r");
  try {
    return readDicomHead(head.subarray(0, readSync(file, head, 0, head.length, 0)), fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

const isCoded = (file: DicomFile): boolean => file.dataSet.elements.x7fe00010?.encapsulatedPixelData === true;

function readIdentity(file: DicomFile): InstanceIdentity {
  const header = readObjectHeader(file);
  const { studyInstanceUid, seriesInstanceUid, sopInstanceUid, sopClassUid: sopClass, hasPosition } = header;
  // A presentation state is a part of its study without pixels of its own, and so is a document.
  const hasPixels = header.hasPixels || header.presentation !== null || isDocumentObject(header);
  return { study: studyInstanceUid, series: seriesInstanceUid, uid: sopInstanceUid, sopClass, hasPixels, hasPosition };
}

function readInstanceOrNull(path: string): IndexedInstance | null {
  try {
    const bytes = readFileSync(path);
    return readInstance(readDicom(bytes), bytes.length);
  } catch {
    // The file stays without an index, whatever is wrong with it, and the others get theirs.
    return null;
  }
}

function readInstance(file: DicomFile, size: number): IndexedInstance {
  const header = readDicomHeader(file);
  const { studyInstanceUid: study, seriesInstanceUid: series, sopInstanceUid: uid } = header;
  const metadata = toDicomJson(file, `${baseUrlPlaceholder}/studies/${study}/series/${series}/instances/${uid}`);
  return {
    study,
    series,
    uid,
    sopClass: header.sopClassUid,
    syntax: header.transferSyntaxUid,
    number: toInt32OrNull(header.instanceNumber),
    frames: clampFrames(header.frames, size),
    frameByteRange: findFrameByteRange(file, size),
    metadata,
    attributes: instanceAttributes(parseDataset(metadata, "")),
  };
}

/** A file that claims more frames than it has bytes is wrong: a loop over its frames would never end. */
const clampFrames = (named: number, size: number): number =>
  Number.isInteger(named) ? Math.min(Math.max(named, 1), size, 2 ** 31 - 1) : 1;

const toInt32OrNull = (value: number | null): number | null =>
  value !== null && Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : null;

/** PS3.5 A.2: explicit little endian, in the bits that are allocated. */
async function decodePlainFrame(file: DicomFile, frame: number): Promise<Uint8Array> {
  const allocated = file.uint16("x00280100") ?? 8;
  if (!isCoded(file) && allocated > 1) return readNativeFrame(file, frame);
  const { data } = await decodeFrame(file, frame);
  const wide = allocated > 16 ? Uint32Array.from(data) : allocated > 8 ? Uint16Array.from(data) : Uint8Array.from(data);
  return new Uint8Array(wide.buffer, wide.byteOffset, wide.byteLength);
}

async function renderImage(file: DicomFile, frame: number, options: RenderOptions): Promise<Uint8Array> {
  const shown = await renderFrame(file, frame, options.window);
  const image = sharp(shown.data, { raw: { width: shown.columns, height: shown.rows, channels: shown.channels } });
  const fitted = options.size ? image.resize({ ...options.size, fit: "inside" }) : image;
  const made = options.format === "png" ? fitted.png() : fitted.jpeg({ quality: options.quality });
  return new Uint8Array(await made.toBuffer());
}
