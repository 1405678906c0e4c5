import type { Element } from "dicom-parser";
import { rebuildIccProfile } from "../../deidentify/rebuild-icc-profile.ts";
import { rebuildJpeg } from "../../deidentify/rebuild-jpeg.ts";
import { toDataView } from "../../deidentify/rebuild-error.ts";
import { joinBytes } from "../../join-bytes.ts";
import { encodeItem, encodeSequenceDelimiter } from "../write/encode-element.ts";
import { readCodestream } from "../pixels/codestream.ts";
import { isNative, readPixelShape } from "../pixels/pixel-shape.ts";
import type { DicomFile } from "../parse/dicom-file.ts";

/**
 * Cuts pixel data to the length that the image needs. Encoded frames become the codestream without comments, each frame
 * in one fragment (PS3.5 A.4).
 * @throws RebuildError if a frame is not a JPEG as the transfer syntax states
 */
export function rebuildPixels(file: DicomFile, element: Element, value: Uint8Array): Uint8Array {
  if (element.encapsulatedPixelData === true) return rebuildFrames(file);
  const { frames, bitsPerFrame } = readPixelShape(file);
  // Rounded up to a whole word: in swapped words the last pixel is in the second byte.
  const needed = 2 * Math.ceil((frames * bitsPerFrame) / 16);
  return isNative(file.transferSyntax) && needed > 0 ? value.subarray(0, needed) : value;
}

/** An offset table refers to the old fragments, so none of its values is valid after the rebuild. */
export const isOffsetTable = (tag: string): boolean => tag === "x7fe00001" || tag === "x7fe00002";

function rebuildFrames(file: DicomFile): Uint8Array {
  const { frames } = readPixelShape(file);
  const clean =
    codestreamCleaners[file.transferSyntax.replace("1.2.840.10008.1.2.", "")] ?? ((frame: Uint8Array) => frame);
  const items: Uint8Array[] = [encodeItem(false, new Uint8Array(0), explicitLittleEndian)];
  for (let frame = 0; frame < frames; frame++) {
    const bytes = clean(readCodestream(file, frame));
    items.push(
      encodeItem(false, bytes.length % 2 === 0 ? bytes : joinBytes([bytes, Uint8Array.of(0)]), explicitLittleEndian),
    );
  }
  return joinBytes([...items, encodeSequenceDelimiter()]);
}
const explicitLittleEndian = { explicit: true, little: true };

const isJpegMetadata = (marker: number): boolean => marker === 0xfe || (marker >= 0xe0 && marker <= 0xef);
const cleanJpegLs = (frame: Uint8Array): Uint8Array =>
  withoutSegments(frame, { endMarker: 0xda, isMetadata: isJpegMetadata });
const cleanJpeg2000 = (frame: Uint8Array): Uint8Array =>
  withoutSegments(frame, { endMarker: 0x90, isMetadata: (marker) => marker === 0x64 });
/** By the part of the transfer syntax after 1.2.840.10008.1.2. */
const codestreamCleaners: Partial<Record<string, (frame: Uint8Array) => Uint8Array>> = {
  "4.50": rebuildJpeg,
  "4.51": rebuildJpeg,
  "4.57": rebuildJpeg,
  "4.70": rebuildJpeg,
  "4.80": cleanJpegLs,
  "4.81": cleanJpegLs,
  "4.90": cleanJpeg2000,
  "4.91": cleanJpeg2000,
  "4.201": cleanJpeg2000,
  "4.202": cleanJpeg2000,
  "4.203": cleanJpeg2000,
};

/** The codestream without comments and application data, ahead of its first scan or tile (T.87 C.1, T.800 A.4). */
function withoutSegments(
  bytes: Uint8Array,
  { endMarker, isMetadata }: { endMarker: number; isMetadata: (marker: number) => boolean },
): Uint8Array {
  const view = toDataView(bytes);
  const parts: Uint8Array[] = [bytes.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== endMarker) {
    const end = at + 2 + view.getUint16(at + 2);
    if (!isMetadata(bytes[at + 1])) parts.push(bytes.subarray(at, end));
    at = end;
  }
  return joinBytes([...parts, bytes.subarray(at)]);
}

const binaryVrs = /^(OB|OD|OF|OL|OV|OW)$/;
/** Groups whose binary values are numbers of the image: look-up tables, profiles, surfaces, pixels. */
const numericGroups = /^x(0028|0066|7fe0)/;

/** Uninspected bytes in an element that the profile does not name; null: removed. */
export function rebuildBinary(element: Element, value: Uint8Array): Uint8Array | null {
  if (!binaryVrs.test(element.vr ?? "")) return value;
  if (element.tag !== "x00282000") return numericGroups.test(element.tag) ? value : null;
  try {
    const profile = rebuildIccProfile(value);
    return profile.length % 2 === 0 ? profile : joinBytes([profile, Uint8Array.of(0)]);
  } catch {
    return null;
  }
}
