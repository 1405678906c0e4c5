import { joinBytes } from "../../join-bytes.ts";
import { DicomError } from "../dicom-error.ts";

/**
 * Returns the same bytes, with the preamble, DICM and minimal file meta information added if they are missing.
 * @throws DicomError notDicom if the bytes do not begin like a data set either.
 */
export function ensurePreamble(bytes: Uint8Array): Uint8Array {
  if (hasMagic(bytes, 128)) return ensureFileMeta(bytes);
  if (hasMagic(bytes, 0)) return ensureFileMeta(joinBytes([new Uint8Array(128), bytes]));
  const start = readFirstElement(bytes);
  if (start === null) throw new DicomError("notDicom", "neither DICM nor a plausible first element");
  if (start.group === 2) return ensureFileMeta(joinBytes([new Uint8Array(128), magic, bytes]));
  return wrapDataSet(bytes, start.explicit);
}

/** A bare data set, little endian, as a file. */
export const wrapDataSet = (bytes: Uint8Array, explicit: boolean): Uint8Array =>
  joinBytes([new Uint8Array(128), magic, encodeFileMeta(explicit), bytes]);

const magic = Uint8Array.of(0x44, 0x49, 0x43, 0x4d);

const hasMagic = (bytes: Uint8Array, at: number): boolean =>
  bytes.length >= at + 4 && magic.every((byte, index) => bytes[at + index] === byte);

/** Adds a transfer syntax if the file meta information is missing one. */
function ensureFileMeta(bytes: Uint8Array): Uint8Array {
  const meta = readMetaElements(bytes);
  const next = meta.at(-1)?.end ?? 132;
  // PS3.5 7.1: nobody may use these groups, and the parser would take them for more file meta information.
  if (next + 8 <= bytes.length && bytes[next] < 2 && bytes[next + 1] === 0 && meta.length > 0)
    throw new DicomError("notDicom", `the data set begins with group 000${bytes[next]}`);
  if (meta.some(({ element }) => element === 0x10)) return bytes;
  const start = readFirstElement(bytes.subarray(next));
  if (start === null)
    throw new DicomError(
      bytes.length - next < 16 ? "truncated" : "notDicom",
      "no transfer syntax and no plausible data set",
    );
  return joinBytes([bytes.subarray(0, 132), encodeFileMeta(start.explicit), bytes.subarray(next)]);
}

function readMetaElements(bytes: Uint8Array): { element: number; end: number }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: { element: number; end: number }[] = [];
  let at = 132;
  while (at + 8 <= bytes.length && view.getUint16(at, true) === 2) {
    const long = /^(OB|OW|UN|SQ|UT)$/.test(readVr(bytes, at + 4)) && at + 12 <= bytes.length;
    const end = long ? at + 12 + view.getUint32(at + 8, true) : at + 8 + view.getUint16(at + 6, true);
    found.push({ element: view.getUint16(at + 2, true), end });
    at = end;
  }
  return found;
}

/** Group and encoding of the first element, or null when no data set starts like this. */
function readFirstElement(bytes: Uint8Array): { group: number; explicit: boolean } | null {
  if (bytes.length < 16) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [group, element] = [view.getUint16(0, true), view.getUint16(2, true)];
  if (!(group === 2 && element <= 0x16) && !(group === 8 && element <= 0x18)) return null;
  if (/^[A-Z]{2}$/.test(readVr(bytes, 4))) return { group, explicit: true };
  return group === 8 && view.getUint32(4, true) <= 256 ? { group, explicit: false } : null;
}

const readVr = (bytes: Uint8Array, at: number): string => String.fromCharCode(bytes[at] ?? 0, bytes[at + 1] ?? 0);

/** A file meta information that only holds the transfer syntax (0002,0010). */
function encodeFileMeta(explicit: boolean): Uint8Array {
  const uid = explicit ? "1.2.840.10008.1.2.1\0" : "1.2.840.10008.1.2\0";
  const head = [0x02, 0x00, 0x10, 0x00, 0x55, 0x49, uid.length, 0x00];
  return Uint8Array.from([...head, ...[...uid].map((letter) => letter.charCodeAt(0))]);
}
