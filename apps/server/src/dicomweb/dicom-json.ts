import { isLittleEndian, type DicomItem } from "@arcada/imaging/dicom/parse/dicom-item";
import { trimEndMatching } from "../platform/text/trim-characters.ts";
import { lookUpVr } from "./element-vrs.ts";
import type { DicomFile } from "@arcada/imaging/dicom/parse/dicom-file";

/** A placeholder for the base address of the service. A raw control character cannot occur elsewhere in JSON. */
export const baseUrlPlaceholder = "\u0001";

export interface JsonElement {
  vr: string;
  Value?: unknown[];
  InlineBinary?: string;
  BulkDataURI?: string;
}
/** Keys are tags of eight hexadecimal digits. */
export type JsonDataset = Record<string, JsonElement>;

type DataSet = DicomFile["dataSet"];
type Element = DataSet["elements"][string];

/** Returns a file's data set as DICOM JSON (PS3.18 F.2), ordered by tag; `bulk` is the address of large values. */
export function toDicomJson(file: DicomFile, bulk: string): string {
  const more: JsonDataset = {
    "00080005": { vr: "CS", Value: ["ISO_IR 192"] },
    "00083002": { vr: "UI", Value: [file.transferSyntax] },
  };
  return serialiseDataset({
    ...convertDataSet(file.dataSet, { item: file, bulk, isSigned: file.uint16("x00280103") === 1 }),
    ...more,
  });
}

/** JSON text in the order of the tags; objects of JavaScript would put 20010010 before 00080005. */
export const serialiseDataset = (dataset: JsonDataset): string =>
  `{${Object.entries(dataset)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([tag, element]) => `"${tag}":${serialiseElement(element)}`)
    .join(",")}}`;

function serialiseElement({ vr, Value, InlineBinary, BulkDataURI }: JsonElement): string {
  const value =
    vr === "SQ" && Value
      ? `[${Value.map((item) => serialiseDataset(item as JsonDataset)).join(",")}]`
      : Value && JSON.stringify(Value);
  if (value) return `{"vr":"${vr}","Value":${value}}`;
  if (InlineBinary !== undefined) return `{"vr":"${vr}","InlineBinary":"${InlineBinary}"}`;
  // The URI contains only digits, dots and the placeholder of the base URL, which must stay unescaped.
  return BulkDataURI === undefined ? `{"vr":"${vr}"}` : `{"vr":"${vr}","BulkDataURI":"${BulkDataURI}"}`;
}

/** Parses a stored text. */
export const parseDataset = (text: string, base: string): JsonDataset =>
  JSON.parse(text.replaceAll(baseUrlPlaceholder, base)) as JsonDataset;

interface Conversion {
  item: DicomItem;
  /** The address of large values; null within sequences. */
  bulk: string | null;
  isSigned: boolean;
}

function convertDataSet(dataSet: DataSet, conversion: Conversion): JsonDataset {
  const found: JsonDataset = {};
  for (const [name, element] of Object.entries(dataSet.elements)) {
    const tag = name.slice(1).toUpperCase();
    // File meta information and group lengths belong to the file's encoding, not to its content.
    if (tag.startsWith("0002") || tag.endsWith("0000") || tag.startsWith("FFFE")) continue;
    found[tag] = convertElement(dataSet, element, tag, conversion);
  }
  return found;
}

function convertElement(
  dataSet: DataSet,
  element: Element,
  tag: string,
  { item, bulk, isSigned }: Conversion,
): JsonElement {
  const name = `x${tag.toLowerCase()}` as const;
  const vr = element.items ? "SQ" : element.vr && /^[A-Z]{2}$/.test(element.vr) ? element.vr : lookUpVr(tag, isSigned);
  if (vr === "SQ") {
    const inner = (element.items ?? []).filter((one) => one.dataSet);
    const items = item.sequence(name);
    const Value = inner.map((one, place) =>
      convertDataSet(one.dataSet!, { item: items[place]!, bulk: null, isSigned }),
    );
    return Value.length > 0 ? { vr, Value } : { vr };
  }
  const bytes = item.rawValue(name);
  if (!bytes || bytes.length === 0) return { vr };
  if (binary.has(vr)) return convertBinary(vr, toLittleEndian(vr, bytes, isLittleEndian(dataSet)), tag, bulk);
  const Value = readValues(vr, dataSet, item, name, bytes);
  return Value.every((value) => value === null) ? { vr } : { vr, Value };
}

const wordBytes: Readonly<Record<string, number>> = { OW: 2, OF: 4, OL: 4, OD: 8, OV: 8 };

/** PS3.18 F.2.7 and 8.7.3: binary values leave the server in little endian, whatever the file has. */
export function toLittleEndian(vr: string, bytes: Uint8Array, isLittle: boolean): Uint8Array {
  const size = wordBytes[vr] ?? 1;
  if (isLittle || size === 1) return bytes;
  const swapped = bytes.slice();
  for (let at = 0; at + size <= swapped.length; at += size) swapped.subarray(at, at + size).reverse();
  return swapped;
}

const binary: ReadonlySet<string> = new Set(["OB", "OD", "OF", "OL", "OV", "OW", "UN"]);
const maxInlineBytes = 1024;
const maxNestedBytes = 65_536;

function convertBinary(vr: string, bytes: Uint8Array, tag: string, bulk: string | null): JsonElement {
  const isPixels = tag.startsWith("7FE0");
  if (bulk !== null && (isPixels || bytes.length > maxInlineBytes))
    return { vr, BulkDataURI: `${bulk}/bulkdata/${tag}` };
  return isPixels || bytes.length > maxNestedBytes
    ? { vr }
    : { vr, InlineBinary: Buffer.from(bytes).toString("base64") };
}

const valueReaders: Record<string, { size: number; read: (view: DataView, at: number, little: boolean) => unknown }> = {
  US: { size: 2, read: (view, at, little) => view.getUint16(at, little) },
  SS: { size: 2, read: (view, at, little) => view.getInt16(at, little) },
  UL: { size: 4, read: (view, at, little) => view.getUint32(at, little) },
  SL: { size: 4, read: (view, at, little) => view.getInt32(at, little) },
  FL: { size: 4, read: (view, at, little) => finiteOrNull(view.getFloat32(at, little)) },
  FD: { size: 8, read: (view, at, little) => finiteOrNull(view.getFloat64(at, little)) },
  SV: { size: 8, read: (view, at, little) => view.getBigInt64(at, little).toString() },
  UV: { size: 8, read: (view, at, little) => view.getBigUint64(at, little).toString() },
  AT: { size: 4, read: (view, at, little) => hex(view.getUint16(at, little)) + hex(view.getUint16(at + 2, little)) },
};
const hex = (value: number): string => value.toString(16).toUpperCase().padStart(4, "0");
const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

function readValues(vr: string, dataSet: DataSet, item: DicomItem, name: `x${string}`, bytes: Uint8Array): unknown[] {
  const reader = valueReaders[vr];
  if (reader) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const little = isLittleEndian(dataSet);
    return Array.from({ length: Math.trunc(bytes.length / reader.size) }, (_, place) =>
      reader.read(view, place * reader.size, little),
    );
  }
  const texts = item.texts(name);
  if (vr === "PN") return texts.map(toPersonName);
  if (vr === "DS" || vr === "IS")
    return texts.map((text) => (text === "" ? null : finiteOrNull(Number(text.replace(",", ".")))));
  return texts.map((text) => (text === "" ? null : text));
}

/** PS3.18 F.2.2: a person name by its component groups. */
function toPersonName(text: string): object | null {
  // PS3.5 6.2.1.2: empty components at the end may be left out, with the delimiters before them.
  const [Alphabetic, Ideographic, Phonetic] = text.split("=").map((group) => trimEndMatching(group, /\^/));
  if (!text.replace(/[=^]/g, "")) return null;
  return { ...(Alphabetic && { Alphabetic }), ...(Ideographic && { Ideographic }), ...(Phonetic && { Phonetic }) };
}
