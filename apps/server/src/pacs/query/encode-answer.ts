import { joinBytes } from "@arcada/imaging/join-bytes";
import type { StandaloneElement } from "@arcada/imaging/dicom/parse/read-data-set";
import type { Tag } from "@arcada/imaging/dicom/parse/tags";
import { encodeElement, encodeItem } from "@arcada/imaging/dicom/write/encode-element";
import { lookUpVr } from "../../dicomweb/element-vrs.ts";
import type { JsonDataset, JsonElement } from "../../dicomweb/dicom-json.ts";
import {
  declaredSet,
  encodeInRequestedSet,
  encodeTextValue,
  type AnswerEncoding,
} from "../../dimse/response-character-set.ts";
import type { QueryIdentifier } from "./parse-identifier.ts";

/** Writes one answer: the elements of the identifier with the values found, and the fixed ones (PS3.4 C.4.1.1.3.2). */
export function encodeAnswer({ asked, explicit }: QueryIdentifier, found: JsonDataset, fixed: JsonDataset): Buffer {
  const elements = asked.elements.filter(({ tag }) => !tag.endsWith("0000") && tag !== "x00080005");
  const missing = Object.keys(fixed)
    .map((key): StandaloneElement => ({ tag: `x${key.toLowerCase()}`, vr: undefined, items: null }))
    .filter(({ tag }) => elements.every((one) => one.tag !== tag));
  const values = { ...found, ...fixed };
  return encodeInRequestedSet(asked, { explicit, defaultSet: "ISO_IR 192" }, (encoding) => {
    const declared = declaredSet(encoding);
    const set: StandaloneElement[] = declared === null ? [] : [{ tag: "x00080005", vr: "CS", items: null }];
    const dataset = { ...values, ...(declared !== null && { "00080005": { vr: "CS", Value: [declared] } }) };
    return encodeElements([...set, ...elements, ...missing], dataset, encoding);
  });
}

/** Null: a character is missing in the character set. */
function encodeElements(
  elements: readonly StandaloneElement[],
  dataset: JsonDataset,
  encoding: AnswerEncoding,
): Uint8Array | null {
  const parts = elements
    .toSorted((one, other) => (one.tag < other.tag ? -1 : 1))
    .map((element) => encodeOne(element, dataset[element.tag.slice(1).toUpperCase()], encoding));
  return parts.includes(null) ? null : joinBytes(parts as Uint8Array[]);
}

function encodeOne(
  { tag, vr, items }: StandaloneElement,
  value: JsonElement | undefined,
  encoding: AnswerEncoding,
): Uint8Array | null {
  const form = value?.vr ?? (items ? "SQ" : (vr ?? lookUpVr(tag.slice(1).toUpperCase())));
  const bytes = form === "SQ" ? encodeItems(items, value, encoding) : encodeValue(form, value, encoding);
  if (!bytes) return null;
  const isTooLong = bytes.length > 0xffff && !longForms.has(form);
  return encodeElement({ tag, ...(encoding.explicit && { vr: form }) }, isTooLong ? new Uint8Array() : bytes, {
    explicit: encoding.explicit,
    little: true,
  });
}
const longForms = new Set(["OB", "OD", "OF", "OL", "OW", "SQ", "UC", "UN", "UR", "UT"]);

/** A sequence that names no elements requests all of them. */
function encodeItems(
  items: StandaloneElement["items"],
  value: JsonElement | undefined,
  encoding: AnswerEncoding,
): Uint8Array | null {
  const named = items?.[0]?.elements ?? [];
  const parts = ((value?.Value ?? []) as JsonDataset[]).map((item) => {
    const all = Object.keys(item).map((key): StandaloneElement => ({ tag: toTag(key), vr: undefined, items: null }));
    const inner = encodeElements(named.length > 0 ? named : all, item, encoding);
    return inner && encodeItem(false, inner, { explicit: encoding.explicit, little: true });
  });
  return parts.includes(null) ? null : joinBytes(parts as Uint8Array[]);
}
const toTag = (key: string): Tag => `x${key.toLowerCase()}`;

const numberWriters: Readonly<Record<string, (value: number) => Buffer>> = {
  US: (value) => writeNumber(2, (bytes) => bytes.writeUInt16LE(value & 0xffff)),
  SS: (value) => writeNumber(2, (bytes) => bytes.writeInt16LE(value)),
  UL: (value) => writeNumber(4, (bytes) => bytes.writeUInt32LE(value >>> 0)),
  SL: (value) => writeNumber(4, (bytes) => bytes.writeInt32LE(value)),
  FL: (value) => writeNumber(4, (bytes) => bytes.writeFloatLE(value)),
  FD: (value) => writeNumber(8, (bytes) => bytes.writeDoubleLE(value)),
};
function writeNumber(size: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(size);
  write(bytes);
  return bytes;
}

function encodeValue(vr: string, value: JsonElement | undefined, encoding: AnswerEncoding): Uint8Array | null {
  if (value?.InlineBinary !== undefined) return evenBytes(Buffer.from(value.InlineBinary, "base64"));
  const values = value?.Value ?? [];
  const writer = numberWriters[vr];
  if (writer) return Buffer.concat(values.map((one) => writer(typeof one === "number" ? one : 0)));
  if (vr === "AT") return Buffer.concat(values.map((one) => Buffer.from(String(one), "hex").swap16()));
  const texts = values.map((one) => (vr === "PN" ? formatName(one) : toText(one)));
  return encodeTextValue(vr, texts.join("\\"), encoding);
}

/** A value of a text or a number; anything else, which the standard does not have, is left empty. */
const toText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

const evenBytes = (bytes: Buffer): Buffer => (bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]));

function formatName(name: unknown): string {
  const { Alphabetic = "", Ideographic = "", Phonetic = "" } = (name ?? {}) as Record<string, string>;
  const groups = [Alphabetic, Ideographic, Phonetic];
  // Empty groups at the end are left out with their delimiters (PS3.5 6.2).
  return groups.slice(0, groups.findLastIndex((group) => group !== "") + 1).join("=");
}
