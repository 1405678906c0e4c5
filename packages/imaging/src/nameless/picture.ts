import { joinBytes } from "../dicom/bytes.ts";

/**
 * The picture without what cameras and people write beside it: names, comments, places, previews, what follows its end.
 * Pixels, colour profile and the way up stay as they are. What does not read as a picture to its end is cut there.
 */
export const namelessPicture = (bytes: Uint8Array, kind: "jpeg" | "png"): Uint8Array<ArrayBuffer> =>
  kind === "jpeg" ? namelessJpeg(bytes) : namelessPng(bytes);

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function namelessJpeg(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const view = viewOf(bytes);
  const parts: Uint8Array[] = [bytes.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1];
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xd9) break;
    const end = at + 2 + view.getUint16(at + 2);
    const kept = keptSegment(marker, bytes.subarray(at, end));
    if (kept) parts.push(kept);
    at = end;
    if (marker !== 0xda) continue;
    const scan = endOfScan(bytes, at);
    parts.push(bytes.subarray(at, scan));
    at = scan;
  }
  return joinBytes([...parts, Uint8Array.of(0xff, 0xd9)]);
}

/** Coded bytes run on to the next marker that is neither a stuffed byte nor a restart (ITU-T T.81 B.1.1). */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

function keptSegment(marker: number, segment: Uint8Array): Uint8Array | null {
  const isApplication = marker >= 0xe0 && marker <= 0xef;
  if (!isApplication) return marker === 0xfe ? null : segment;
  const name = latin.decode(segment.subarray(4, 16));
  if (marker === 0xe0 && name.startsWith("JFIF\0")) return withoutPreview(segment);
  if (marker === 0xe2 && name.startsWith("ICC_PROFILE\0")) return segment;
  if (marker === 0xee && name.startsWith("Adobe")) return segment;
  return marker === 0xe1 && name.startsWith("Exif\0\0") ? orientationOnly(segment.subarray(10)) : null;
}

const jfifBytes = 16;
function withoutPreview(segment: Uint8Array): Uint8Array {
  const short = Uint8Array.from(segment.subarray(0, 2 + jfifBytes));
  viewOf(short).setUint16(2, jfifBytes);
  // Width and height of the preview that is gone.
  return short.fill(0, jfifBytes);
}

/** An Exif segment that only says which side is up; null where the old one did not. TIFF 6.0, tag 0x0112. */
function orientationOnly(tiff: Uint8Array): Uint8Array | null {
  if (tiff.length < 14) return null;
  const view = viewOf(tiff);
  const little = tiff[0] === 0x49;
  const directory = view.getUint32(4, little);
  if (directory + 2 > tiff.length) return null;
  const count = view.getUint16(directory, little);
  for (let entry = directory + 2; entry < directory + 2 + 12 * count && entry + 12 <= tiff.length; entry += 12)
    if (view.getUint16(entry, little) === 0x0112) return exifOf(view.getUint16(entry + 8, little));
  return null;
}

const exifOf = (orientation: number): Uint8Array =>
  Uint8Array.from(
    [
      [0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0],
      [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1],
      [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation & 15, 0, 0],
      [0, 0, 0, 0],
    ].flat(),
  );

const keptChunks = new Set([
  "IHDR",
  "PLTE",
  "IDAT",
  "IEND",
  "tRNS",
  "gAMA",
  "cHRM",
  "sRGB",
  "iCCP",
  "sBIT",
  "bKGD",
  "pHYs",
]);

function namelessPng(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const view = viewOf(bytes);
  const parts: Uint8Array[] = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + view.getUint32(at);
    const name = latin.decode(bytes.subarray(at + 4, at + 8));
    if (keptChunks.has(name)) parts.push(bytes.subarray(at, end));
    if (name === "IEND") break;
    at = end;
  }
  return joinBytes(parts);
}

const latin = new TextDecoder("latin1");
