import { autoWindow, type GreyData, type Window } from "../picture/window.ts";
import { DicomError } from "./error.ts";
import type { DicomItem } from "./item.ts";
import type { DicomFile } from "./read.ts";
import type { RawData, RawFrame } from "./samples.ts";
import { tags } from "./tags.ts";

/** One frame as grey values (after the modality transformation), for showing and measuring. */
export interface GreyFrame {
  rows: number;
  columns: number;
  /** `[row][column]`. Int32Array only where no 16-bit type holds the range. */
  data: GreyData;
  min: number;
  max: number;
  /** True for MONOCHROME1: low values are shown white. */
  inverted: boolean;
  window: Window;
}

/**
 * Applies the modality look-up table, else rescale slope and intercept (PS3.3 C.11.1: the table wins), rounded to whole numbers.
 * The window is the file's own, else the input range of its VOI look-up table, else found in the values.
 * @param frame counted from 0; enhanced images have a transformation for each.
 * @throws DicomError unsupported for colour.
 */
export function greyOf(file: DicomFile, raw: RawFrame, frame = 0): GreyFrame {
  if (raw.samples !== 1 || raw.photometric === "PALETTE COLOR")
    throw new DicomError("unsupported", `${raw.photometric} is not grey`);
  const lut = file.sequence(tags.modalityLutSequence)[0];
  const values =
    lut === undefined ? rescaled(raw.data, ruleItem(file, frame, tags.pixelValueTransformation)) : lookedUp(raw, lut);
  const { min, max } = rangeOf(values);
  const data = narrow(values, min, max);
  const window =
    fileWindow(ruleItem(file, frame, tags.frameVoiLutSequence)) ?? lutWindow(file, min < 0) ?? autoWindow(data);
  return { rows: raw.rows, columns: raw.columns, data, min, max, inverted: raw.photometric === "MONOCHROME1", window };
}

/** Where a rule stands: in the frame's own group, in the shared one, or in the image itself. */
function ruleItem(
  file: DicomItem,
  frame: number,
  tag: typeof tags.pixelValueTransformation | typeof tags.frameVoiLutSequence,
): DicomItem {
  const own = file.sequence(tags.perFrameGroups)[frame]?.sequence(tag)[0];
  return own ?? file.sequence(tags.sharedGroups)[0]?.sequence(tag)[0] ?? file;
}

function rescaled(data: RawData, rule: DicomItem): RawData | Int32Array {
  // A slope of 0 would erase the picture; devices write it for "none".
  const slope = rule.number(tags.rescaleSlope) || 1;
  const intercept = rule.number(tags.rescaleIntercept) ?? 0;
  if (slope === 1 && intercept === 0) return data;
  const values = new Int32Array(data.length);
  for (let at = 0; at < data.length; at++) values[at] = Math.round(data[at] * slope + intercept);
  return values;
}

export interface Lut {
  /** The stored value that the first entry belongs to; lower ones take the first entry, higher ones the last. */
  first: number;
  entries: number[];
}

/** A look-up table of PS3.3 C.11.1.1; 0 entries means 65536. */
export function readLut(
  item: DicomItem,
  signed: boolean,
  descriptorTag: typeof tags.lutDescriptor = tags.lutDescriptor,
  dataTag: typeof tags.lutData = tags.lutData,
): Lut {
  const [count = 0, start = 0] = item.numbers(descriptorTag).map((value) => value & 0xffff);
  const first = signed && start > 32767 ? start - 65536 : start;
  const length = count === 0 ? 65536 : count;
  const bytes = item.bytesOf(dataTag) ?? new Uint8Array();
  // Entries of 8 bits are stored a byte each by some writers, whatever the descriptor says.
  const entries = bytes.length < length * 2 ? Array.from(bytes) : item.numbers(dataTag);
  if (entries.length < length)
    throw new DicomError("truncated", `look-up table of ${entries.length} entries, ${length} expected`);
  return { first, entries: entries.slice(0, length) };
}

function lookedUp(raw: RawFrame, item: DicomItem): Int32Array {
  const { first, entries } = readLut(item, raw.signed);
  const values = new Int32Array(raw.data.length);
  const last = entries.length - 1;
  for (let at = 0; at < values.length; at++) values[at] = entries[Math.min(last, Math.max(0, raw.data[at] - first))];
  return values;
}

function rangeOf(data: RawData): { min: number; max: number } {
  let [min, max] = [data[0], data[0]];
  for (let at = 1; at < data.length; at++) {
    if (data[at] < min) min = data[at];
    else if (data[at] > max) max = data[at];
  }
  return { min, max };
}

function narrow(values: RawData, min: number, max: number): GreyData {
  if (values instanceof Int16Array || values instanceof Uint16Array) return values;
  if (min >= 0 && max <= 65535) return new Uint16Array(values);
  if (min >= -32768 && max <= 32767) return new Int16Array(values);
  if (min >= -2147483648 && max <= 2147483647) return new Int32Array(values);
  throw new DicomError("unsupported", `grey values from ${min} to ${max}`);
}

function fileWindow(rule: DicomItem): Window | null {
  const [center, width] = [rule.number(tags.windowCenter), rule.number(tags.windowWidth)];
  return center !== null && width !== null && width >= 1 ? { center, width } : null;
}

function lutWindow(file: DicomFile, signed: boolean): Window | null {
  const [count, start] = file.sequence(tags.voiLutSequence)[0]?.numbers(tags.lutDescriptor) ?? [];
  if (count === undefined || start === undefined) return null;
  const first = signed && start > 32767 ? start - 65536 : start;
  const width = count === 0 ? 65536 : count;
  return { center: first + width / 2, width };
}
