import type { Element } from "dicom-parser";
import { DicomError } from "../dicom-error.ts";
import { tags } from "../parse/tags.ts";
import type { DicomFile } from "../parse/dicom-file.ts";

/** The shape of the stored pixels, as the image pixel module describes it. */
export interface PixelShape {
  rows: number;
  columns: number;
  samples: number;
  frames: number;
  bitsAllocated: number;
  photometric: string;
  /** As stored, so YBR_FULL_422 has 2 samples a pixel where others have 3. */
  bitsPerFrame: number;
}

/** Reads the shape (PS3.3 C.7.6.3); missing attributes default to one frame of one sample of 8 bits. */
export function readPixelShape(file: DicomFile): PixelShape {
  const rows = file.uint16(tags.rows) ?? 0;
  const columns = file.uint16(tags.columns) ?? 0;
  const samples = file.uint16(tags.samplesPerPixel) ?? 1;
  const bitsAllocated = file.uint16(tags.bitsAllocated) ?? 8;
  const frames = Math.max(1, Math.trunc(file.number(tags.frames) ?? 1));
  const photometric = file.text(tags.photometric) ?? "";
  const stored = /^YBR_(FULL|PARTIAL)_422$/.test(photometric) ? 2 : samples;
  return {
    rows,
    columns,
    samples,
    frames,
    bitsAllocated,
    photometric,
    bitsPerFrame: rows * columns * stored * bitsAllocated,
  };
}

/** Pixel Data, or its replacement for floating-point pixels (PS3.3 C.7.6.24 and C.7.6.25). */
export const findPixelElement = (file: Pick<DicomFile, "dataSet">): Element | undefined =>
  [tags.pixels, tags.floatPixels, tags.doublePixels].map((tag) => file.dataSet.elements[tag]).find(Boolean);

/** Bits of a floating point pixel; 0 where the pixels are whole numbers. */
export const floatPixelBits = ({ dataSet: { elements } }: Pick<DicomFile, "dataSet">): 0 | 32 | 64 =>
  elements[tags.pixels] ? 0 : elements[tags.floatPixels] ? 32 : elements[tags.doublePixels] ? 64 : 0;

/** @throws DicomError truncated when the pixel data is shorter than the header promises or its end is missing. */
export function checkPixelLength(file: DicomFile): void {
  const element = findPixelElement(file);
  if (element === undefined) return;
  const size = file.dataSet.byteArray.length;
  if (element.encapsulatedPixelData === true) return checkFragments(file);
  if (element.dataOffset + element.length > size) throw truncatedError("the pixel data runs past the end of the file");
  const { frames, bitsPerFrame } = readPixelShape(file);
  const needed = Math.ceil((frames * bitsPerFrame) / 8);
  if (isNative(file.transferSyntax) && element.length < needed)
    throw truncatedError(`pixel data of ${element.length} bytes, ${needed} expected`);
}

/** Transfer syntaxes whose pixel data is not compressed. */
export const isNative = (transferSyntax: string): boolean =>
  /^1\.2\.840\.10008\.1\.2(\.1|\.2|\.1\.99)?$/.test(transferSyntax);

function checkFragments(file: DicomFile): void {
  const { fragments = [], dataOffset, length } = file.dataSet.elements[tags.pixels];
  const bytes = file.dataSet.byteArray;
  const last = fragments.at(-1);
  if (last === undefined) throw truncatedError("encapsulated pixel data without a fragment");
  // PS3.5 A.4: each frame has at least its own fragment, except in a video.
  if (fragments.length < readPixelShape(file).frames && !isVideo(file.transferSyntax))
    throw truncatedError(`${fragments.length} fragments for ${readPixelShape(file).frames} frames`);
  const end = last.position + last.length;
  if (end > bytes.length) throw truncatedError("the pixel data runs past the end of the file");
  // Without the delimiter the parser leaves the length open; parts that reach the end exactly are whole nevertheless.
  if (length === 0xffffffff && end === bytes.length && fragments.length >= readPixelShape(file).frames) return;
  // PS3.5 A.4: the Sequence Delimitation Item (FFFE,E0DD) closes the fragments.
  const closed =
    end + 4 <= bytes.length &&
    bytes[end] === 0xfe &&
    bytes[end + 1] === 0xff &&
    bytes[end + 2] === 0xdd &&
    bytes[end + 3] === 0xe0;
  if (!closed || end > dataOffset + length + 8)
    throw truncatedError("the end of the encapsulated pixel data is missing");
}

/** MPEG-2, MPEG-4 AVC and HEVC (PS3.5 A.4.5 to A.4.10). */
const isVideo = (transferSyntax: string): boolean => /^1\.2\.840\.10008\.1\.2\.4\.10\d/.test(transferSyntax);

const truncatedError = (detail: string): DicomError => new DicomError("truncated", detail);
