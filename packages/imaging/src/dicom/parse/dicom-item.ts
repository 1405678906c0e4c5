import type { DataSet, Element } from "dicom-parser";
import { createTextDecoder, type DicomTextDecoder } from "./decode-text.ts";
import { implicitVrs, tags, type Tag } from "./tags.ts";

/** A data set: the file's own, or an item of a sequence. Absent and empty elements read as null or []. */
export interface DicomItem {
  has(tag: Tag): boolean;
  /** The first value, decoded by the character set, without padding. */
  text(tag: Tag): string | null;
  texts(tag: Tag): string[];
  /** True when the text is not in the character set that the file declares, and was guessed. */
  isGuessed(tag: Tag): boolean;
  number(tag: Tag): number | null;
  /** All values of DS, IS, US, SS, UL, SL, FL, FD elements; values that are no number are left out. */
  numbers(tag: Tag): number[];
  uint16(tag: Tag): number | null;
  /** Items of a sequence. */
  sequence(tag: Tag): DicomItem[];
  /** The raw value, a view into the file's bytes. */
  rawValue(tag: Tag): Uint8Array | null;
}

/** Typed getters over a parsed data set; items inherit the character set unless they name their own (PS3.5 7.5.3). */
export function createDicomItem(dataSet: DataSet, inherited: DicomTextDecoder = createTextDecoder([])): DicomItem {
  const raw = (tag: Tag) => rawBytes(dataSet, tag);
  const own = raw(tags.characterSet);
  const read = own === null ? inherited : createTextDecoder(splitValues(ascii(own)));
  const texts = (tag: Tag): string[] => {
    const bytes = raw(tag);
    if (bytes === null) return [];
    const element = dataSet.elements[tag];
    const text = isPlainAscii(element.vr) ? ascii(bytes) : read(bytes);
    return isSingleValued(element.vr) ? [trimPadding(text)] : splitValues(text);
  };
  const numbers = (tag: Tag) => readNumbers(dataSet, tag, () => texts(tag));
  return {
    has: (tag) => raw(tag) !== null || (dataSet.elements[tag]?.items?.length ?? 0) > 0,
    text: (tag) => texts(tag)[0] || null,
    texts,
    isGuessed: (tag) => {
      const bytes = raw(tag);
      return bytes !== null && !isPlainAscii(dataSet.elements[tag].vr) && read.isGuess(bytes);
    },
    number: (tag) => numbers(tag)[0] ?? null,
    numbers,
    uint16: (tag) => ((raw(tag)?.length ?? 0) >= 2 ? (dataSet.uint16(tag) ?? null) : null),
    sequence: (tag) =>
      (dataSet.elements[tag]?.items ?? []).flatMap((item) =>
        item.dataSet ? [createDicomItem(item.dataSet, read)] : [],
      ),
    rawValue: raw,
  };
}

function rawBytes(dataSet: DataSet, tag: Tag): Uint8Array | null {
  const element: Element | undefined = dataSet.elements[tag];
  if (element === undefined || !(element.length > 0) || element.items !== undefined) return null;
  return dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
}

const binaryReaders: Record<string, { size: number; read: (view: DataView, at: number, little: boolean) => number }> = {
  US: { size: 2, read: (view, at, little) => view.getUint16(at, little) },
  OW: { size: 2, read: (view, at, little) => view.getUint16(at, little) },
  SS: { size: 2, read: (view, at, little) => view.getInt16(at, little) },
  UL: { size: 4, read: (view, at, little) => view.getUint32(at, little) },
  SL: { size: 4, read: (view, at, little) => view.getInt32(at, little) },
  FL: { size: 4, read: (view, at, little) => view.getFloat32(at, little) },
  FD: { size: 8, read: (view, at, little) => view.getFloat64(at, little) },
};

function readNumbers(dataSet: DataSet, tag: Tag, texts: () => string[]): number[] {
  const bytes = rawBytes(dataSet, tag);
  if (bytes === null) return [];
  const element = dataSet.elements[tag];
  // Implicit VR and unknown VR (UN) leave the kind of value to the dictionary.
  const statedVr = element.vr !== undefined && element.vr !== "UN" ? element.vr : undefined;
  const reader = binaryReaders[statedVr ?? implicitVrs.get(tag) ?? "DS"];
  if (reader === undefined) return texts().map(parseDecimal).filter(Number.isFinite);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = isLittleEndian(dataSet);
  const found: number[] = [];
  for (let at = 0; at + reader.size <= bytes.length; at += reader.size) found.push(reader.read(view, at, little));
  return found;
}

/** Some devices write a decimal comma into DS. */
const parseDecimal = (text: string): number => (text === "" ? NaN : Number(text.replace(",", ".")));

/** dicom-parser keeps the byte order only as the parser it chose. */
export const isLittleEndian = (dataSet: DataSet): boolean =>
  dataSet.byteArrayParser.readUint16(Uint8Array.of(1, 0), 0) === 1;

const isPlainAscii = (vr: string | undefined): boolean =>
  vr !== undefined && /^(AE|AS|CS|DA|DS|DT|IS|TM|UI|UR)$/.test(vr);
const isSingleValued = (vr: string | undefined): boolean => vr !== undefined && /^(LT|ST|UT|UR)$/.test(vr);

const ascii = (bytes: Uint8Array): string => latin1.decode(bytes);
const latin1 = new TextDecoder("latin1");

const splitValues = (text: string): string[] => text.split("\\").map(trimPadding);
const trimPadding = (text: string): string => text.replaceAll("\0", "").trim();
