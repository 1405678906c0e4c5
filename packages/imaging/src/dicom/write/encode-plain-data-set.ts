import type { DataSet, Element } from "dicom-parser";
import { joinBytes } from "../../join-bytes.ts";
import { DicomError } from "../dicom-error.ts";
import { isLittleEndian } from "../parse/dicom-item.ts";
import type { DicomFile } from "../parse/dicom-file.ts";
import { tags } from "../parse/tags.ts";
import { decodeFrame } from "../pixels/decode-frame.ts";
import { readNativeFrame } from "../pixels/native-frame.ts";
import { readPixelShape } from "../pixels/pixel-shape.ts";
import { encodeElement, encodeItem, hasLongForm, type Encoding } from "./encode-element.ts";

export interface PlainEncoding {
  explicit: boolean;
  /** The value representation of a tag such as "00100010", for files that leave it out. */
  lookUpVr: (tag: string) => string;
}

/**
 * The data set of a file, without file meta information, in Explicit or Implicit VR Little Endian: compressed pixels
 * are decoded, everything else keeps its value. PS3.5 A.1, A.2.
 * @throws DicomError unsupported for a compression that is not decoded here, truncated where pixels are missing.
 */
export async function encodePlainDataSet(
  file: DicomFile,
  { explicit, lookUpVr }: PlainEncoding,
): Promise<Uint8Array<ArrayBuffer>> {
  const replaced = await decodePixels(file);
  const context: EncodeContext = {
    encoding: { explicit, little: true },
    isSwapped: !isLittleEndian(file.dataSet),
    lookUpVr,
  };
  const elements = listElements(file.dataSet).filter(({ tag }) => !replaced.has(tag));
  const added = [...replaced].map(([tag, { vr, value }]): [string, Uint8Array] => [
    tag,
    encodeElement({ tag, ...(explicit && { vr }) }, value, context.encoding),
  ]);
  const kept = elements.map((element): [string, Uint8Array] => [
    element.tag,
    encodePlainElement(file.dataSet, element, context),
  ]);
  const ordered = [...kept, ...added].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return joinBytes(ordered.map(([, bytes]) => bytes));
}

interface EncodeContext {
  encoding: Encoding;
  /** The values of the file are big endian. */
  isSwapped: boolean;
  lookUpVr: (tag: string) => string;
}

function listElements(dataSet: DataSet): Element[] {
  const elements = Object.values(dataSet.elements);
  // dicom-parser reads a deflated file from its first byte, and mistakes its preamble for elements.
  const start = Math.max(-1, ...elements.filter(({ tag }) => tag.startsWith("x0002")).map((meta) => meta.dataOffset));
  return elements
    .filter(({ tag, dataOffset }) => dataOffset > start && !/^x(0002|fffe)|0000$/.test(tag))
    .toSorted((one, other) => (one.tag < other.tag ? -1 : 1));
}

function encodePlainElement(dataSet: DataSet, element: Element, context: EncodeContext): Uint8Array {
  const { encoding, lookUpVr } = context;
  const stated = element.vr !== undefined && /^[A-Z]{2}$/.test(element.vr) ? element.vr : undefined;
  const vr = element.items ? "SQ" : (stated ?? lookUpVr(element.tag.slice(1).toUpperCase()));
  const head = { tag: element.tag, ...(encoding.explicit && { vr }) };
  if (element.items) {
    const items = element.items.map(({ dataSet: inner }) => {
      const parts = inner ? listElements(inner).map((one) => encodePlainElement(inner, one, context)) : [];
      return encodeItem(false, joinBytes(parts), encoding);
    });
    return encodeElement(head, joinBytes(items), encoding);
  }
  const value = dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
  const size = context.isSwapped ? (bytesPerValue[vr] ?? 1) : 1;
  // PS3.5 6.2.2: a value that its representation has no room for is written as UN.
  const isTooLong = encoding.explicit && value.length > 0xffff && !hasLongForm(vr);
  return encodeElement(isTooLong ? { ...head, vr: "UN" } : head, size > 1 ? swapEach(value, size) : value, encoding);
}

const bytesPerValue: Readonly<Record<string, number>> = Object.fromEntries([
  ...["AT", "OW", "SS", "US"].map((vr) => [vr, 2] as const),
  ...["FL", "OF", "OL", "SL", "UL"].map((vr) => [vr, 4] as const),
  ...["FD", "OD", "OV", "SV", "UV"].map((vr) => [vr, 8] as const),
]);

function swapEach(value: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(value.length);
  for (let at = 0; at < value.length; at++) out[at] = value[at - (at % size) + (size - 1 - (at % size))] ?? 0;
  return out;
}

interface ReplacedElement {
  vr: string;
  value: Uint8Array;
}

/** The pixels as plain values, and the elements that describe them; empty if they are plain already. */
async function decodePixels(file: DicomFile): Promise<Map<string, ReplacedElement>> {
  const element = file.dataSet.elements[tags.pixels];
  if (!element) return new Map();
  const { frames, bitsAllocated } = readPixelShape(file);
  const isCoded = element.encapsulatedPixelData === true;
  if (!isCoded && isLittleEndian(file.dataSet)) return new Map();
  const wide = bitsAllocated > 8;
  const parts: Uint8Array[] = [];
  let described: [string, ReplacedElement][] = [];
  for (let frame = 0; frame < frames; frame++) {
    if (!isCoded) {
      parts.push(readNativeFrame(file, frame));
      continue;
    }
    const { data, photometric, samples, bitsStored } = await decodeFrame(file, frame);
    parts.push(toBytes(data, bitsAllocated));
    if (frame > 0) continue;
    described = [
      [tags.photometric, { vr: "CS", value: ascii(photometric) }],
      [tags.bitsStored, { vr: "US", value: uint16(bitsStored) }],
      [tags.highBit, { vr: "US", value: uint16(bitsStored - 1) }],
      ...(samples > 1 ? [[tags.planarConfiguration, { vr: "US", value: uint16(0) }] as [string, ReplacedElement]] : []),
    ];
  }
  const value = joinBytes(bitsAllocated === 1 ? [packBits(parts)] : parts);
  const even = value.length % 2 === 0 ? value : joinBytes([value, new Uint8Array(1)]);
  // PS3.5 A.4: a Basic Offset Table and fragments are gone with the compression.
  return new Map([...described, [tags.pixels, { vr: wide ? "OW" : "OB", value: even }]]);
}

function toBytes(data: ArrayLike<number>, bitsAllocated: number): Uint8Array {
  if (bitsAllocated <= 8) return Uint8Array.from(data);
  if (bitsAllocated !== 16 && bitsAllocated !== 32)
    throw new DicomError("unsupported", `${bitsAllocated} bits allocated`);
  const wide = bitsAllocated === 16 ? Uint16Array.from(data) : Uint32Array.from(data);
  return new Uint8Array(wide.buffer, wide.byteOffset, wide.byteLength);
}

/** One bit for each value, the first in the lowest bit; frames follow each other without a gap (PS3.5 8.1.1). */
export function packBits(frames: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const count = frames.reduce((sum, frame) => sum + frame.length, 0);
  const packed = new Uint8Array(Math.ceil(count / 8));
  let at = 0;
  for (const frame of frames)
    for (const bit of frame) {
      if (bit !== 0) packed[at >> 3]! |= 1 << (at & 7);
      at += 1;
    }
  return packed;
}

const uint16 = (value: number): Uint8Array => Uint8Array.of(value & 0xff, value >> 8);
const ascii = (text: string): Uint8Array => new TextEncoder().encode(text.length % 2 === 0 ? text : `${text} `);
