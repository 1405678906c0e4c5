import dicomParser from "dicom-parser";
import type { DataSet } from "dicom-parser";
import { inflateRaw, maxInflatedSize } from "./inflate.node.ts";
import { checkPixelLength, readPixelShape } from "../pixels/pixel-shape.ts";
import { DicomError } from "../dicom-error.ts";
import { createDicomItem, type DicomItem } from "./dicom-item.ts";
import { ensurePreamble } from "./preamble.ts";
import { tags } from "./tags.ts";
import type { DicomFile } from "./dicom-file.ts";

export { DicomError, type DicomReason } from "../dicom-error.ts";
export type { DicomItem } from "./dicom-item.ts";

/**
 * Reads a DICOM Part 10 file, also one without preamble or file meta information when its first element is plausible.
 * The pixel data is not decoded, but its length is checked against the bytes.
 * @throws DicomError notDicom, truncated (bytes end too early), bomb (deflated from far fewer bytes).
 */
export function readDicom(bytes: Uint8Array): DicomFile {
  const whole = ensurePreamble(toPlainView(bytes));
  const dataSet = parseDataSet(whole);
  const file: DicomFile = {
    ...createDicomItem(dataSet),
    transferSyntax: readTransferSyntax(dataSet),
    bytes: whole,
    dataSet,
  };
  if (!isPlausible(file)) throw new DicomError("notDicom", "no SOP class, no rows and no directory in it");
  checkPixelLength(file);
  return file;
}

/** The transfer syntax, which becomes part of headers of answers; empty if the file does not tell it. */
function readTransferSyntax(dataSet: DataSet): string {
  const given = dataSet.string(tags.transferSyntax) ?? "";
  if (given !== "" && !/^[0-9.]{1,64}$/.test(given)) throw new DicomError("notDicom", "its transfer syntax is no UID");
  return given;
}

/**
 * Reads a Part 10 file of `size` bytes by its first bytes alone, if these contain everything but the pixels: plain
 * values in little endian, complete, and nothing after them. Null: the whole file has to be read.
 */
export function readDicomHead(head: Uint8Array, size: number): DicomFile | null {
  const bytes = toPlainView(head);
  try {
    if (ensurePreamble(bytes) !== bytes) return null;
    const dataSet = dicomParser.parseDicom(bytes, { untilTag: tags.pixels, inflater: () => noBytes });
    const transferSyntax = readTransferSyntax(dataSet);
    const pixels = dataSet.elements[tags.pixels];
    if (!littleEndianSyntaxes.includes(transferSyntax) || pixels === undefined || pixels.hadUndefinedLength)
      return null;
    if (pixels.dataOffset + pixels.length !== size) return null;
    const file: DicomFile = { ...createDicomItem(dataSet), transferSyntax, bytes, dataSet };
    const { frames, bitsPerFrame } = readPixelShape(file);
    return isPlausible(file) && pixels.length * 8 >= frames * bitsPerFrame ? file : null;
  } catch {
    return null;
  }
}

const noBytes = new Uint8Array();
/** Implicit and explicit little endian. */
const littleEndianSyntaxes = ["1.2.840.10008.1.2", "1.2.840.10008.1.2.1"];

/**
 * Returns a view without the methods of Node's Buffer, whose `slice` copies nothing: decoding would write into the
 * file's bytes.
 */
const toPlainView = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** For the data set after the file meta information: the meta information and the inflated rest in one array. */
function inflateDataSet(bytes: Uint8Array, position: number): Uint8Array {
  const coded = bytes.subarray(position);
  return inflateRaw(coded, maxInflatedSize(coded), bytes.subarray(0, position));
}

function parseDataSet(bytes: Uint8Array): DataSet {
  try {
    return dicomParser.parseDicom(bytes, { inflater: inflateDataSet });
  } catch (thrown) {
    if (thrown instanceof DicomError) throw thrown;
    const detail = errorMessage(thrown);
    // A stop inside an element indicates a truncated file; any other error concerns the content of the bytes.
    const isTruncated = /overrun|past (the )?end|seek|maxP ?osition|cannot be greater|delimit/i.test(detail);
    throw new DicomError(isTruncated ? "truncated" : "notDicom", detail);
  }
}

/** dicom-parser throws strings, Errors and `{ exception, dataSet }`. */
function errorMessage(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  if (thrown instanceof Error) return thrown.message;
  if (typeof thrown === "object" && thrown !== null && "exception" in thrown) return errorMessage(thrown.exception);
  return "unreadable";
}

const isPlausible = (file: DicomItem): boolean =>
  file.has(tags.sopClass) || file.has("x00020002") || file.has(tags.rows) || file.has(tags.modality);
