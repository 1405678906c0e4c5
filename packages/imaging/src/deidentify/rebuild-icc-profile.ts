import { joinBytes } from "../join-bytes.ts";
import { assertFormat, latin1Bytes, decodeLatin1, toDataView } from "./rebuild-error.ts";

/**
 * Rebuilds a colour profile with the same numbers (curves, matrices, tables) and without its texts, dates and
 * manufacturers. ICC.1:2022, 7 and 10.
 * @throws RebuildError if it is not a profile, or if its transform is of another kind
 */
export function rebuildIccProfile(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  assertFormat(bytes.length > 132 && decodeLatin1(bytes.subarray(36, 40)) === "acsp", "no colour profile");
  const view = toDataView(bytes);
  const count = view.getUint32(128);
  assertFormat(132 + 12 * count <= bytes.length, "a colour profile that ends early");
  const tags: [string, Uint8Array][] = [
    ["desc", descriptionTag],
    ["cprt", copyrightTag],
  ];
  for (let at = 132; at < 132 + 12 * count; at += 12) {
    const name = decodeLatin1(bytes.subarray(at, at + 4));
    if (!keptTags.has(name) || tags.some(([known]) => known === name)) continue;
    const [offset, length] = [view.getUint32(at + 4), view.getUint32(at + 8)];
    assertFormat(offset + length <= bytes.length, "a colour profile that ends early");
    tags.push([name, rebuildTag(bytes.subarray(offset, offset + length))]);
  }
  const names = tags.map(([name]) => name);
  const hasSingleTransform = ["A2B0", "kTRC"].some((name) => names.includes(name));
  assertFormat(
    hasSingleTransform || ["rXYZ", "gXYZ", "bXYZ", "rTRC"].every((name) => names.includes(name)),
    "no colour transform",
  );
  return assembleProfile(rebuildHeader(bytes), tags);
}

const keptTags = new Set(
  "wtpt bkpt chad rXYZ gXYZ bXYZ rTRC gTRC bTRC kTRC A2B0 A2B1 A2B2 B2A0 B2A1 B2A2 gamt lumi".split(" "),
);

const headerFields = {
  12: ["mntr", "scnr", "prtr", "spac"],
  16: ["RGB ", "GRAY", "CMYK", "Lab ", "XYZ "],
  20: ["XYZ ", "Lab "],
};

function rebuildHeader(bytes: Uint8Array): Uint8Array {
  const header = new Uint8Array(128);
  const major = bytes[8];
  assertFormat(major === 2 || major === 4, "a colour profile of an unknown version");
  header[8] = major;
  header[9] = bytes[9] & 0xf0;
  for (const [at, known] of Object.entries(headerFields)) {
    const word = decodeLatin1(bytes.subarray(Number(at), Number(at) + 4));
    assertFormat(known.includes(word), "a colour profile of an unknown kind");
    header.set(latin1Bytes(word), Number(at));
  }
  header.set(latin1Bytes("acsp"), 36);
  header[67] = bytes[67] & 3;
  // The illuminant of the connection space: D50 (7.2.16).
  header.set([0, 0, 0xf6, 0xd6, 0, 1, 0, 0, 0, 0, 0xd3, 0x2d], 68);
  return header;
}

/** The numbers of a tag in the length that they take. */
function rebuildTag(tag: Uint8Array): Uint8Array {
  assertFormat(tag.length >= 12, "a short tag of a colour profile");
  const type = decodeLatin1(tag.subarray(0, 4));
  const length = tagLengths[type]?.(toDataView(tag), tag) ?? 0;
  assertFormat(length > 0 && length <= tag.length, "a tag of a colour profile of another kind");
  const kept = tag.slice(0, length);
  kept.fill(0, 4, 8);
  if (type === "para") kept.fill(0, 10, 12);
  if (type === "mft1" || type === "mft2") kept.fill(0, 11, 12);
  return kept;
}

const curveParameterCounts = [1, 3, 4, 5, 7];
const tagLengths: Partial<Record<string, (view: DataView, tag: Uint8Array) => number>> = {
  "XYZ ": () => 20,
  curv: (view) => 12 + 2 * view.getUint32(8),
  para: (view) => 12 + 4 * (curveParameterCounts[view.getUint16(8)] ?? Number.NaN),
  sf32: () => 8 + 4 * 9,
  mft1: (_, [, , , , , , , , inputs, outputs, grid]) => 48 + 256 * inputs + grid ** inputs * outputs + 256 * outputs,
  mft2: (view, [, , , , , , , , inputs, outputs, grid]) =>
    view.byteLength < 52
      ? 0
      : 52 + 2 * (inputs * view.getUint16(48) + grid ** inputs * outputs + outputs * view.getUint16(50)),
};

const uint32Bytes = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
/** Both tags are required (8.2); version 2 knows this form of a description, version 4 reads it as well. */
const descriptionTag = Uint8Array.from([
  ...latin1Bytes("desc\0\0\0\0"),
  ...uint32Bytes(2),
  ...latin1Bytes("-\0"),
  ...Array.from({ length: 78 }, () => 0),
]);
const copyrightTag = latin1Bytes("text\0\0\0\0-\0\0\0");

function assembleProfile(header: Uint8Array, tags: readonly [string, Uint8Array][]): Uint8Array<ArrayBuffer> {
  const table: number[] = uint32Bytes(tags.length);
  const bodies: Uint8Array[] = [];
  let at = 132 + 12 * tags.length;
  for (const [name, body] of tags) {
    table.push(...latin1Bytes(name), ...uint32Bytes(at), ...uint32Bytes(body.length));
    const padding = new Uint8Array((4 - (body.length % 4)) % 4);
    bodies.push(body, padding);
    at += body.length + padding.length;
  }
  const bytes = joinBytes([header, Uint8Array.from(table), ...bodies]);
  toDataView(bytes).setUint32(0, bytes.length);
  return bytes;
}
