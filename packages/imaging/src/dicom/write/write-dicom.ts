import { joinBytes } from "../../join-bytes.ts";

/** One element: tag (0xGGGGEEEE), value representation, value. `null` writes an empty value (type 2). */
export type DicomElement = readonly [tag: number, vr: string, value: DicomValue];
export type DicomDataset = readonly DicomElement[];
export type DicomValue =
  | null
  | string
  | number
  | readonly string[]
  | readonly number[]
  | Uint8Array
  | Int16Array
  | Uint16Array
  | readonly DicomDataset[];

export type DicomFileOptions = {
  sopClassUid: string;
  sopInstanceUid: string;
  /** Without it the text must be ASCII. */
  charset?: "ISO_IR 192";
};

/**
 * Writes a DICOM Part 10 file, Explicit VR Little Endian. The elements may come in any order; SOP Class, SOP Instance
 * and Specific Character Set are added.
 * @throws RangeError for a value that its element cannot hold.
 */
export function writeDicom(dataset: DicomDataset, file: DicomFileOptions): Uint8Array<ArrayBuffer> {
  const given = new Set(dataset.map(([tag]) => tag));
  const identity: DicomElement[] = [
    [0x00080016, "UI", file.sopClassUid],
    [0x00080018, "UI", file.sopInstanceUid],
  ];
  if (file.charset) identity.push([0x00080005, "CS", file.charset]);
  const unicode = file.charset === "ISO_IR 192";
  const body = encodeDataset([...identity.filter(([tag]) => !given.has(tag)), ...dataset], unicode);
  const meta = encodeDataset(fileMeta(file), false);
  const length = encodeDataset([[0x00020000, "UL", meta.length]], false);
  return joinBytes([new Uint8Array(128), ascii("DICM"), length, meta, body]);
}

/**
 * A UID under 2.25 (PS3.5 B.2) that depends on the key alone, so that generated data are the same each time.
 * The hash is quick, not cryptographic: never use it where someone could choose the key.
 */
export function deriveUid(...key: readonly (string | number)[]): string {
  const lanes = hash128(key.join("\u0001"));
  // Version 8 and variant 10 of RFC 9562: a UUID whose other bits the implementation chooses.
  lanes[1] = (lanes[1]! & 0xffff0fff) | 0x8000;
  lanes[2] = (lanes[2]! & 0x3fffffff) | 0x80000000;
  let value = 0n;
  for (const lane of lanes) value = (value << 32n) | BigInt(lane >>> 0);
  return `2.25.${value}`;
}

function hash128(text: string): Uint32Array {
  const lanes = new Uint32Array([0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35]);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    for (let k = 0; k < 4; k++) {
      const mixed = Math.imul(lanes[k]! ^ (unit + k * 0x101), 0x01000193 + k * 0x3d4d52);
      lanes[k] = mixed ^ (mixed >>> 15);
    }
  }
  for (let round = 0; round < 3; round++) {
    for (let k = 0; k < 4; k++) lanes[k] = avalanche(lanes[k]! + lanes[(k + 1) % 4]!);
  }
  return lanes;
}

/** The finaliser of MurmurHash3 (Austin Appleby, public domain). */
function avalanche(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** The identification of the writing software in a file's meta information. */
export const implementation = { uid: deriveUid("arcada", "implementation"), name: "ARCADA" } as const;

const explicitLittleEndian = "1.2.840.10008.1.2.1";

const fileMeta = (file: DicomFileOptions): DicomDataset => [
  [0x00020001, "OB", new Uint8Array([0, 1])],
  [0x00020002, "UI", file.sopClassUid],
  [0x00020003, "UI", file.sopInstanceUid],
  [0x00020010, "UI", explicitLittleEndian],
  [0x00020012, "UI", implementation.uid],
  [0x00020013, "SH", implementation.name],
];

function encodeDataset(dataset: DicomDataset, unicode: boolean): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  for (const [tag, vr, value] of [...dataset].sort((a, b) => a[0] - b[0])) {
    const body = encodeValue(vr, value, unicode);
    parts.push(elementHeader(tag, vr, body.length), body);
  }
  return joinBytes(parts);
}

// PS3.5 7.1.2: these carry two reserved bytes and a length of 32 bits.
const longFormVrs = new Set(["OB", "OD", "OF", "OL", "OV", "OW", "SQ", "SV", "UC", "UN", "UR", "UT", "UV"]);

function elementHeader(tag: number, vr: string, length: number): Uint8Array {
  const long = longFormVrs.has(vr);
  if (!long && length > 0xffff) throw new RangeError(`the value of ${tag.toString(16)} is too long for ${vr}`);
  const header = new Uint8Array(long ? 12 : 8);
  const view = new DataView(header.buffer);
  view.setUint16(0, tag >>> 16, true);
  view.setUint16(2, tag & 0xffff, true);
  header.set(ascii(vr), 4);
  if (long) view.setUint32(8, length, true);
  else view.setUint16(6, length, true);
  return header;
}

function encodeValue(vr: string, value: DicomValue, unicode: boolean): Uint8Array {
  if (value === null || value === "") return new Uint8Array(0);
  if (vr === "SQ") return joinBytes((value as readonly DicomDataset[]).map((item) => encodeItem(item, unicode)));
  if (ArrayBuffer.isView(value)) return padToEven(littleEndianBytes(value), 0);
  const list = Array.isArray(value) ? (value as readonly (string | number)[]) : [value as string | number];
  const number = numberFormats[vr];
  if (number) return encodeNumbers(list.map(Number), number);
  const text = list.join("\\");
  return padToEven(
    unicode && charsetVrs.has(vr) ? new TextEncoder().encode(text) : ascii(text),
    vr === "UI" ? 0 : 0x20,
  );
}

function encodeItem(item: DicomDataset, unicode: boolean): Uint8Array {
  const body = encodeDataset(item, unicode);
  const header = new Uint8Array(8);
  const view = new DataView(header.buffer);
  view.setUint32(0, 0xe000fffe, true);
  view.setUint32(4, body.length, true);
  return joinBytes([header, body]);
}

// PS3.5 6.1.2.3: only these are affected by the Specific Character Set.
const charsetVrs = new Set(["LO", "LT", "PN", "SH", "ST", "UC", "UT"]);

type NumberFormat = { size: number; put: (view: DataView, at: number, value: number) => void };

const numberFormats: Readonly<Record<string, NumberFormat>> = {
  US: { size: 2, put: (view, at, value) => view.setUint16(at, value, true) },
  SS: { size: 2, put: (view, at, value) => view.setInt16(at, value, true) },
  UL: { size: 4, put: (view, at, value) => view.setUint32(at, value, true) },
  SL: { size: 4, put: (view, at, value) => view.setInt32(at, value, true) },
  FL: { size: 4, put: (view, at, value) => view.setFloat32(at, value, true) },
  FD: { size: 8, put: (view, at, value) => view.setFloat64(at, value, true) },
  AT: {
    size: 4,
    put: (view, at, value) => {
      view.setUint16(at, value >>> 16, true);
      view.setUint16(at + 2, value & 0xffff, true);
    },
  },
};

function encodeNumbers(values: readonly number[], form: NumberFormat): Uint8Array {
  const bytes = new Uint8Array(values.length * form.size);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => form.put(view, i * form.size, value));
  return bytes;
}

// Every machine that runs Node 24 or a current browser is little endian: the bytes of the array are the file's.
const littleEndianBytes = (value: ArrayBufferView): Uint8Array =>
  new Uint8Array(value.buffer, value.byteOffset, value.byteLength);

function padToEven(bytes: Uint8Array, padding: number): Uint8Array {
  if (bytes.length % 2 === 0) return bytes;
  const padded = new Uint8Array(bytes.length + 1);
  padded.set(bytes);
  padded[bytes.length] = padding;
  return padded;
}

function ascii(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) throw new RangeError("text beyond ASCII needs a character set");
    bytes[i] = unit;
  }
  return bytes;
}
