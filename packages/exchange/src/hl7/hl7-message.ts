import { ExchangeError } from "../exchange-error.ts";
import { decodeHl7Text } from "./character-set.ts";

const maxSegments = 5000;
/** Characters of a field that are taken apart. Longer ones hold documents, which nothing here reads. */
const maxFieldLength = 65_536;

/**
 * A message of HL7 version 2 as text. Fields, repetitions and components are counted from 1, as the standard does.
 * Texts are unescaped, and have no NUL, which no database stores.
 */
export interface Hl7Message {
  segments: readonly Hl7Segment[];
  /** The characters of MSH-1 and MSH-2. */
  separators: Separators;
  /** Returns the first segment with this name. */
  segment(name: string): Hl7Segment | undefined;
}
export interface Hl7Segment {
  name: string;
  /** Returns a component; "" if it is missing, and null if the sender wrote "", which deletes the value. */
  get(field: number, component?: number, repetition?: number): string | null;
  /** The number of repetitions of a field. */
  count(field: number): number;
  /** The field as it was sent, with its escapes. */
  raw(field: number): string;
}
export interface Separators {
  field: string;
  component: string;
  repetition: string;
  escape: string;
  subcomponent: string;
}
export const standardSeparators: Separators = {
  field: "|",
  component: "^",
  repetition: "~",
  escape: "\\",
  subcomponent: "&",
};

/**
 * Reads a message. Lines may end with CR, LF or both; unknown segments are kept. Throws ExchangeError with the problem
 * `notHl7` or `unknownEncoding`.
 */
export function parseHl7(bytes: Uint8Array): Hl7Message {
  const separators = readSeparators(new TextDecoder("latin1").decode(bytes.subarray(0, 16)));
  const text = decodeHl7Text(bytes, separators).replaceAll("\0", "");
  const lines = text.split(/[\r\n]+/).filter((line) => line !== "");
  if (lines.length > maxSegments) throw new ExchangeError("notHl7", `more than ${maxSegments} segments`);
  const segments = lines.map((line) => parseSegment(line, separators));
  return { segments, separators, segment: (name) => segments.find((one) => one.name === name) };
}

/** Parses the first segment alone, as Latin letters. Throws ExchangeError `notHl7`. */
export function parseHl7Header(bytes: Uint8Array): Hl7Segment {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 4096)).replaceAll("\0", "");
  return parseSegment(text.split(/[\r\n]/, 1)[0]!, readSeparators(text.slice(0, 16)));
}

function readSeparators(head: string): Separators {
  const [, field = "", component = "", repetition = "", escape = "", subcomponent = ""] =
    /^MSH(.)(.)(.)(.)?(.)?/s.exec(head) ?? [];
  // A sender that leaves escape and subcomponent out writes the field separator there.
  const [e = "", s = ""] = escape === field ? [] : subcomponent === field ? [escape] : [escape, subcomponent];
  const all = [field, component, repetition, e, s].filter((one) => one !== "");
  if (all.length < 3 || new Set(all).size !== all.length || all.some((one) => /[\w\s]/.test(one)))
    throw new ExchangeError("notHl7", "the message does not begin with MSH and its delimiters");
  return { field, component, repetition, escape: e, subcomponent: s };
}

function parseSegment(line: string, separators: Separators): Hl7Segment {
  const given = line.split(separators.field);
  const name = given[0] ?? "";
  // MSH-1 is the separator itself.
  const fields = name === "MSH" ? [name, separators.field, ...given.slice(1)] : given;
  const isHeader = name === "MSH";
  // Readers ask for one repetition after another: a field is split once.
  const known = new Map<number, string[]>();
  const repetitions = (field: number): string[] => {
    const found = known.get(field);
    if (found) return found;
    const text = (fields[field] ?? "").slice(0, maxFieldLength);
    const split = isHeader && field <= 2 ? [text] : text.split(separators.repetition);
    known.set(field, split);
    return split;
  };
  return {
    name,
    raw: (field) => fields[field] ?? "",
    count: (field) => (fields[field] ? repetitions(field).length : 0),
    get(field, component = 1, repetition = 1) {
      const text = repetitions(field)[repetition - 1] ?? "";
      if (isHeader && field <= 2) return text;
      if (text === '""') return null;
      const part = text.split(separators.component)[component - 1] ?? "";
      const first = separators.subcomponent === "" ? part : (part.split(separators.subcomponent)[0] ?? "");
      return first === '""' ? null : unescapeText(first, separators).trim();
    },
  };
}

/** Replaces the escape sequences of chapter 2.7. Those that only format are left out. */
function unescapeText(text: string, separators: Separators): string {
  const mark = separators.escape;
  if (mark === "" || !text.includes(mark)) return text;
  const parts = text.split(mark);
  let result = parts[0]!;
  for (let at = 1; at < parts.length; at++) {
    // The last part follows a mark that nothing closes, so the mark is meant literally.
    if (at === parts.length - 1) return `${result}${mark}${parts[at]!}`;
    result += unescapeSequence(parts[at]!, separators) + (parts[at + 1] ?? "");
    at += 1;
  }
  return result;
}

function unescapeSequence(code: string, separators: Separators): string {
  const plain: Record<string, string> = {
    F: separators.field,
    S: separators.component,
    T: separators.subcomponent,
    R: separators.repetition,
    E: separators.escape,
    ".br": "\n",
    ".sp": "\n",
  };
  if (plain[code] !== undefined) return plain[code];
  if (/^X(?:[0-9A-Fa-f]{2}){1,64}$/.test(code)) return decodeHex(code.slice(1));
  return "";
}

const decodeHex = (digits: string): string =>
  (digits.match(/../g) ?? [])
    .map((pair) => String.fromCharCode(Number.parseInt(pair, 16)))
    .join("")
    .replaceAll("\0", "");

/** Escapes a text for a component of a message with the standard separators. Control characters become blanks. */
export const escapeText = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replaceAll("\\", "\\E\\")
    .replaceAll("|", "\\F\\")
    .replaceAll("^", "\\S\\")
    .replaceAll("~", "\\R\\")
    .replaceAll("&", "\\T\\")
    .replaceAll("\n", "\\.br\\")
    .replaceAll(/\p{Cc}/gu, " ");

/** One field: text, or its components; texts are escaped. `raw` is written as it is. */
export type FieldValue = string | readonly string[] | { raw: string };

/** Writes one segment, without empty fields at its end. For MSH the fields begin with MSH-3. */
export function writeSegment(name: string, fields: readonly FieldValue[]): string {
  const written = fields.map((field) =>
    typeof field === "string"
      ? escapeText(field)
      : "raw" in field
        ? field.raw
        : trimEmptyEnd(field.map(escapeText)).join("^"),
  );
  const head = name === "MSH" ? ["MSH", "^~\\&"] : [name];
  return trimEmptyEnd([...head, ...written]).join("|");
}

function trimEmptyEnd(parts: readonly string[]): string[] {
  let length = parts.length;
  while (length > 0 && parts[length - 1] === "") length -= 1;
  return parts.slice(0, length);
}
