import { decodeJpegLossless } from "../codec/jpeg-lossless.ts";
import { decodeRle } from "../codec/rle.ts";
import { readCodestream } from "./codestream.ts";
import { readNativeFrame } from "./native-frame.ts";
import { isNative, readPixelShape, type PixelShape } from "./pixel-shape.ts";
import { isLittleEndian } from "../parse/dicom-item.ts";
import { toSamples } from "./pixel-samples.ts";
import { tags, type Tag } from "../parse/tags.ts";
import type { DicomFile } from "../parse/dicom-file.ts";

/** PS3.5 7.6: sixteen repeating groups. */
const overlayGroups = Array.from({ length: 16 }, (_, index) => (0x6000 + index * 2).toString(16));

/**
 * Combines all overlays of a frame (counted from 0) into one, `[row][column]` of the image: 1 where something is drawn;
 * null if there are none. Overlays are planes with their own data, or bits of pixel words that no value uses (PS3.3
 * C.9.2). Parts outside the image are cut off; planes that are truncated or do not belong to this frame are left out.
 * @param size of the image, if the overlays of a presentation state are drawn over another file's image
 */
export function readOverlay(
  file: DicomFile,
  frame: number,
  { rows, columns }: Size = readPixelShape(file),
): Uint8Array | null {
  const planes = overlayGroups
    .filter((group) => group !== findShutterGroup(file))
    .map((group) => readPlane(file, group, frame))
    .filter((plane) => plane !== null);
  if (planes.length === 0) return null;
  const bits = new Uint8Array(rows * columns);
  for (const plane of planes) drawPlane(bits, plane, { rows, columns });
  return bits;
}

/** A plane that hides (PS3.3 C.7.6.15) is none that draws. */
function findShutterGroup(file: DicomFile): string | null {
  const group = file.uint16(tags.shutterOverlay);
  return group === null ? null : group.toString(16).padStart(4, "0");
}

interface Size {
  rows: number;
  columns: number;
}

/** Returns true if the file has an overlay to draw over the image. */
export const hasOverlay = (file: DicomFile): boolean =>
  overlayGroups.some((group) => file.has(groupTag(group, "0010")));

const groupTag = (group: string, element: string): Tag => `x${group}${element}`;

interface Plane extends Size {
  /** Row and column of the image at which it begins, counted from 0. */
  top: number;
  left: number;
  at: (index: number) => number;
}

function readPlane(file: DicomFile, group: string, frame: number): Plane | null {
  const [rows, columns] = [readWholeNumbers(file, group, "0010", "US"), readWholeNumbers(file, group, "0011", "US")];
  if (!rows[0] || !columns[0]) return null;
  const [top = 1, left = 1] = readWholeNumbers(file, group, "0050", "SS");
  const bounds = { rows: rows[0], columns: columns[0], top: top - 1, left: left - 1 };
  const data = file.rawValue(groupTag(group, "3000"));
  const at = data
    ? readPlaneBits(file, group, data, bounds.rows * bounds.columns, frame)
    : readEmbeddedBits(file, group, frame);
  return at && { ...bounds, at };
}

function readPlaneBits(
  file: DicomFile,
  group: string,
  data: Uint8Array,
  size: number,
  frame: number,
): Plane["at"] | null {
  const planes = Math.max(1, Math.trunc(file.number(groupTag(group, "0015")) ?? 1));
  const [origin = 1] = readWholeNumbers(file, group, "0051", "US");
  // Without a number of frames the one plane belongs to every frame.
  const index = file.has(groupTag(group, "0015")) ? frame - (origin - 1) : 0;
  const start = index * size;
  if (index < 0 || index >= planes || data.length * 8 < start + size) return null;
  // Words of big endian files have their first bit in the byte that comes second.
  const byteSwap = !isLittleEndian(file.dataSet) && file.dataSet.elements[groupTag(group, "3000")]?.vr === "OW" ? 1 : 0;
  return (pixel) => (data[Math.floor((start + pixel) / 8) ^ byteSwap] >>> ((start + pixel) % 8)) & 1;
}

/** Retired, but devices of the time wrote it: a bit of the pixel words that no value uses. */
function readEmbeddedBits(file: DicomFile, group: string, frame: number): Plane["at"] | null {
  const shape = readPixelShape(file);
  const { bitsAllocated, samples, rows, columns } = shape;
  const [position = 0] = readWholeNumbers(file, group, "0102", "US");
  const [size = 1] = readWholeNumbers(file, group, "0100", "US");
  const high = file.uint16(tags.highBit) ?? bitsAllocated - 1;
  const low = high + 1 - (file.uint16(tags.bitsStored) ?? bitsAllocated);
  const isFree = position > high || position < low;
  if (size !== bitsAllocated || bitsAllocated !== 16 || samples !== 1 || !isFree) return null;
  if (
    readWholeNumbers(file, group, "0010", "US")[0] !== rows ||
    readWholeNumbers(file, group, "0011", "US")[0] !== columns
  )
    return null;
  const words = readPixelWords(file, frame, shape);
  return words && ((pixel) => ((words[pixel] ?? 0) >>> position) & 1);
}

/** Whole pixel words, with the bits that no value uses: no other coding keeps these. */
function readPixelWords(file: DicomFile, frame: number, shape: PixelShape): ArrayLike<number> | null {
  const pixels = shape.rows * shape.columns;
  if (isNative(file.transferSyntax)) return toSamples(readNativeFrame(file, frame), 16);
  if (file.transferSyntax === rleSyntax) return toSamples(decodeRle(readCodestream(file, frame), pixels, 1, 2), 16);
  return jpegLosslessSyntaxes.test(file.transferSyntax)
    ? decodeJpegLossless(readCodestream(file, frame), shape).data
    : null;
}
const rleSyntax = "1.2.840.10008.1.2.5";
const jpegLosslessSyntaxes = /^1\.2\.840\.10008\.1\.2\.4\.(57|70)$/;

function drawPlane(bits: Uint8Array, { rows, columns, top, left, at }: Plane, target: Size): void {
  const [firstRow, lastRow] = [Math.max(0, top), Math.min(target.rows, top + rows)];
  const [firstColumn, lastColumn] = [Math.max(0, left), Math.min(target.columns, left + columns)];
  for (let row = firstRow; row < lastRow; row++)
    for (let column = firstColumn; column < lastColumn; column++)
      bits[row * target.columns + column] |= at((row - top) * columns + column - left);
}

/** Whole numbers of 16 bits; Implicit VR leaves out which, and the dictionary of the readers knows no repeating groups. */
function readWholeNumbers(file: DicomFile, group: string, element: string, vr: "US" | "SS"): number[] {
  const tag = groupTag(group, element);
  const named = file.dataSet.elements[tag]?.vr;
  if (named === "US" || named === "SS") return file.numbers(tag);
  const bytes = file.rawValue(tag);
  if (bytes === null) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length >> 1 }, (_, at) =>
    vr === "US" ? view.getUint16(at * 2, true) : view.getInt16(at * 2, true),
  );
}
