import type { Element } from "dicom-parser";
import { rebuiltProfile } from "../nameless/icc.ts";
import { rebuiltJpeg } from "../nameless/jpeg.ts";
import { viewOf } from "../nameless/rebuild-error.ts";
import { joinBytes } from "./bytes.ts";
import { encodedItem, itemDelimiter } from "./element-bytes.ts";
import { frameCodestream } from "./frame-bytes.ts";
import { isNative, pixelShape } from "./pixel-length.ts";
import type { DicomFile } from "./read.ts";

/**
 * Pixel data cut to the length that the image needs; for coded frames the codestream without comments, each frame in
 * one fragment (PS3.5 A.4).
 * @throws RebuildError where a frame is no JPEG as the transfer syntax says
 */
export function rebuiltPixels(file: DicomFile, element: Element, value: Uint8Array): Uint8Array {
  if (element.encapsulatedPixelData === true) return rebuiltFrames(file);
  const { frames, bitsPerFrame } = pixelShape(file);
  // Rounded up to a whole word: in swapped words the last pixel is in the second byte.
  const needed = 2 * Math.ceil((frames * bitsPerFrame) / 16);
  return isNative(file.transferSyntax) && needed > 0 ? value.subarray(0, needed) : value;
}

/** An offset table refers to the old fragments, so none of its values is valid after the rebuild. */
export const isOffsetTable = (tag: string): boolean => tag === "x7fe00001" || tag === "x7fe00002";

function rebuiltFrames(file: DicomFile): Uint8Array {
  const { frames } = pixelShape(file);
  const clean = codestreams[file.transferSyntax.replace("1.2.840.10008.1.2.", "")] ?? ((frame: Uint8Array) => frame);
  const items: Uint8Array[] = [encodedItem(false, new Uint8Array(0), little)];
  for (let frame = 0; frame < frames; frame++) {
    const bytes = clean(frameCodestream(file, frame));
    items.push(encodedItem(false, bytes.length % 2 === 0 ? bytes : joinBytes([bytes, Uint8Array.of(0)]), little));
  }
  return joinBytes([...items, itemDelimiter()]);
}
const little = { explicit: true, little: true };

const jpegNotes = (marker: number): boolean => marker === 0xfe || (marker >= 0xe0 && marker <= 0xef);
const jpegLs = (frame: Uint8Array): Uint8Array => withoutSegments(frame, { ends: 0xda, isNote: jpegNotes });
const jpeg2000 = (frame: Uint8Array): Uint8Array =>
  withoutSegments(frame, { ends: 0x90, isNote: (marker) => marker === 0x64 });
/** By the part of the transfer syntax after 1.2.840.10008.1.2. */
const codestreams: Partial<Record<string, (frame: Uint8Array) => Uint8Array>> = {
  "4.50": rebuiltJpeg,
  "4.51": rebuiltJpeg,
  "4.57": rebuiltJpeg,
  "4.70": rebuiltJpeg,
  "4.80": jpegLs,
  "4.81": jpegLs,
  "4.90": jpeg2000,
  "4.91": jpeg2000,
  "4.201": jpeg2000,
  "4.202": jpeg2000,
  "4.203": jpeg2000,
};

/** The codestream without comments and application data, ahead of its first scan or tile (T.87 C.1, T.800 A.4). */
function withoutSegments(
  bytes: Uint8Array,
  { ends, isNote }: { ends: number; isNote: (marker: number) => boolean },
): Uint8Array {
  const view = viewOf(bytes);
  const parts: Uint8Array[] = [bytes.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== ends) {
    const end = at + 2 + view.getUint16(at + 2);
    if (!isNote(bytes[at + 1])) parts.push(bytes.subarray(at, end));
    at = end;
  }
  return joinBytes([...parts, bytes.subarray(at)]);
}

const binary = /^(OB|OD|OF|OL|OV|OW)$/;
/** Groups whose binary values are numbers of the image: lookup tables, profiles, surfaces, pixels. */
const numeric = /^x(0028|0066|7fe0)/;

/** Uninspected bytes in an element that the profile does not name; null: removed. */
export function rebuiltBinary(element: Element, value: Uint8Array): Uint8Array | null {
  if (!binary.test(element.vr ?? "")) return value;
  if (element.tag !== "x00282000") return numeric.test(element.tag) ? value : null;
  try {
    const profile = rebuiltProfile(value);
    return profile.length % 2 === 0 ? profile : joinBytes([profile, Uint8Array.of(0)]);
  } catch {
    return null;
  }
}
