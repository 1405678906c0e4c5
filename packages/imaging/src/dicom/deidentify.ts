import type { DataSet, Element } from "dicom-parser";
import { joinBytes } from "./bytes.ts";
import { burntInReasons, type BurntIn } from "./burnt-in.ts";
import { encodedElement, encodedItem, type Encoding } from "./element-bytes.ts";
import { DicomError } from "./error.ts";
import { isLittleEndian, type DicomItem } from "./item.ts";
import { readDicom, type DicomFile } from "./read.ts";
import { isOffsetTable, rebuiltBinary, rebuiltPixels } from "./deidentify-pixels.ts";
import { ruleOf, type Rule } from "./deidentify-table.ts";
import { identityIn, type Identity } from "./identity.ts";
import { tags, type Tag } from "./tags.ts";
import { implementation } from "./write.ts";

export interface Deidentification {
  /** The replacement of Patient's Name and Patient ID; ASCII. */
  pseudonym: string;
  /** Another UID for one of the file's: the same for the same, and from nobody to be undone without the key. */
  uid(original: string): string;
  /** `kept`: moments stay (Retain Longitudinal, Full Dates); a number: days by which they are moved (Modified Dates). */
  dates: "removed" | "kept" | number;
  /** Retain Device Identity. */
  device: boolean;
  /** Clean Descriptors: human-written text stays if it names nobody. */
  descriptions: boolean;
  /** Other words that name the patient: every text that contains one of them is removed, in any element. */
  known: readonly string[];
}

export interface Deidentified {
  bytes: Uint8Array<ArrayBuffer>;
  /** Reasons for which the pixels may still name or show the patient; the pixels are never changed. */
  warnings: BurntIn[];
}

/**
 * De-identifies a file by the Basic Application Level Confidentiality Profile (PS3.15 E) and the chosen options.
 * Elements that the profile keeps stay byte for byte, in their transfer syntax (a deflated one becomes Explicit VR
 * Little Endian). Beyond the profile, any person's name and every text that contains the patient's name or number is
 * removed.
 * @throws DicomError as readDicom; unsupported for a directory of media (DICOMDIR), whose offsets would be wrong.
 */
export function deidentified(bytes: Uint8Array, how: Deidentification): Deidentified {
  const file = readDicom(bytes);
  if (file.has("x00041220")) throw new DicomError("unsupported", "a directory of media");
  const encoding: Encoding = { explicit: file.transferSyntax !== implicitSyntax, little: isLittleEndian(file.dataSet) };
  const work: Work = { how, identity: identityIn(file, how.known), encoding };
  const marks = marksOf(how, encoding);
  const body = elementsOf(file.dataSet, file, work, (tag) => marks.get(tag) ?? pixelsOf(file, tag, encoding));
  const missing = [...marks].filter(([tag]) => file.dataSet.elements[tag] === undefined);
  const parts = [...body, ...missing].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    bytes: joinBytes([...headOf(file, work), ...parts.map(([, element]) => element)]),
    warnings: burntInReasons(file),
  };
}

function pixelsOf(file: DicomFile, tag: Tag, encoding: Encoding): Uint8Array | undefined {
  const element = tag === tags.pixels ? file.dataSet.elements[tag] : undefined;
  if (!element) return undefined;
  const value = file.dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
  return encodedElement(element, rebuiltPixels(file, element, value), encoding);
}

const implicitSyntax = "1.2.840.10008.1.2";
const explicitSyntax = "1.2.840.10008.1.2.1";
const deflatedSyntax = "1.2.840.10008.1.2.1.99";

interface Work {
  how: Deidentification;
  identity: Identity;
  encoding: Encoding;
}
type Encoded = [tag: Tag, bytes: Uint8Array];

/** Returns the elements that remain of a data set; `given` returns those that are written anew. */
function elementsOf(
  dataSet: DataSet,
  item: DicomItem,
  work: Work,
  given: (tag: Tag) => Uint8Array | undefined = () => undefined,
): Encoded[] {
  const elements = Object.values(dataSet.elements);
  // dicom-parser reads a deflated file from its first byte on, and takes its preamble for elements.
  const start = Math.max(-1, ...elements.filter(({ tag }) => tag.startsWith("x0002")).map((meta) => meta.dataOffset));
  // Elements ascend (PS3.5 7.1): everything behind the pixels was appended.
  const last = dataSet.elements[tags.pixels]?.dataOffset ?? Number.POSITIVE_INFINITY;
  return elements.flatMap((element): Encoded[] => {
    const tag = element.tag as Tag;
    if (element.dataOffset < start || element.dataOffset > last || isOffsetTable(tag)) return [];
    // File meta information is rewritten, delimiters with their items; group lengths would be wrong.
    if (tag.startsWith("x0002") || tag.startsWith("xfffe") || tag.endsWith("0000")) return [];
    const bytes = given(tag) ?? treated(element, dataSet, item, work);
    return bytes === null ? [] : [[tag, bytes]];
  });
}

/** Null: removed. */
function treated(element: Element, dataSet: DataSet, item: DicomItem, work: Work): Uint8Array | null {
  const rule = ruleOf(element.tag) ?? unlistedRule(element);
  const value = dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
  const encoded = (body: Uint8Array) => encodedElement(element, body, work.encoding);
  if (element.items) {
    if (rule?.treatment === "remove" && !keepsDevice(rule, work)) return null;
    if (rule?.treatment === "empty") return encoded(new Uint8Array(0));
    const inner = item.sequence(element.tag as Tag);
    return encoded(joinBytes(element.items.map((one, at) => itemBytes(one, inner[at], work))));
  }
  if (rule === undefined) {
    const known = isUnread(element, value) ? null : rebuiltBinary(element, value);
    return known && keptOrReplaced(element, item, work, known, encoded);
  }
  if (value.length === 0) return rule.treatment === "remove" ? null : encoded(value);
  const kept = keptBy(rule, element, item, work, value);
  if (kept) return encoded(kept);
  if (rule.treatment === "remove") return null;
  if (rule.treatment === "empty") return encoded(new Uint8Array(0));
  if (rule.treatment === "uid") return encoded(otherUids(value, work));
  return encoded(dummyOf(element.vr ?? rule.vr ?? "LO", value.length));
}

function itemBytes(one: Element, item: DicomItem | undefined, work: Work): Uint8Array {
  const inner = one.dataSet && item ? elementsOf(one.dataSet, item, work) : [];
  return encodedItem(one.hadUndefinedLength === true, joinBytes(inner.map(([, bytes]) => bytes)), work.encoding);
}

const keepsDevice = (rule: Rule, { how }: Work): boolean => rule.keptAs === "device" && how.device;

/** The profile's table may be younger or older than a file: names and moments are known by their VR as well. */
function unlistedRule({ vr, items }: Element): Rule | undefined {
  if (items) return undefined;
  if (vr === "PN" || vr === "AE") return { treatment: "empty" };
  return vr === "DA" || vr === "DT" ? { treatment: "empty", keptAs: "time" } : undefined;
}

/** Returns true for an element that could contain a whole data set that was not parsed. */
const isUnread = ({ vr, tag, hadUndefinedLength }: Element, value: Uint8Array): boolean =>
  tag.startsWith("x7fe0")
    ? false
    : hadUndefinedLength === true ||
      ((vr === "UN" || vr === undefined) &&
        [
          [0xfe, 0xff, 0x00, 0xe0],
          [0xff, 0xfe, 0xe0, 0x00],
        ].some((start) => start.every((byte, at) => value[at] === byte)));

function keptOrReplaced(
  element: Element,
  item: DicomItem,
  { identity }: Work,
  value: Uint8Array,
  encoded: (body: Uint8Array) => Uint8Array,
): Uint8Array {
  // Not emptied: the file may need it to be valid.
  const texts = mayBeText(element, value) ? item.texts(element.tag as Tag) : [];
  return texts.some((text) => !(isUnnamed(element) && isFigure.test(text)) && identity.isIn(text))
    ? encoded(dummyOf("LO", value.length))
    : encoded(value);
}

const textMost = 65_536;
/** Without a VR any short value may be text; the group of the pixels' description has none that people write. */
const mayBeText = (element: Element, value: Uint8Array): boolean => {
  const { vr, tag } = element;
  return isUnnamed(element)
    ? value.length <= textMost && !tag.startsWith("x0028") && !tag.startsWith("x7fe0")
    : /^(LO|LT|SH|ST|UC|UR|UT)$/.test(vr ?? "");
};
const isUnnamed = ({ vr }: Element): boolean => vr === undefined || vr === "UN";
/** Places, angles, doses: a patient's short number occurs in many of them. */
const isFigure = /^[\d.eE+\- ]*$/;

/** The value as an option keeps it; null where none does. */
function keptBy(rule: Rule, element: Element, item: DicomItem, work: Work, value: Uint8Array): Uint8Array | null {
  const { how, identity } = work;
  if (rule.keptAs === "device") return how.device && !item.texts(element.tag as Tag).some(identity.isIn) ? value : null;
  if (rule.keptAs === "words")
    return how.descriptions && item.texts(element.tag as Tag).every(identity.isClean) ? value : null;
  if (rule.keptAs !== "time" || how.dates === "removed" || !isMoment.test(latin.decode(value))) return null;
  return how.dates === "kept" || element.vr === "TM" || rule.vr === "TM" ? value : shifted(value, how.dates);
}

const isMoment = /^[\d.:+\-\\\s\0]*$/;

/** Days in DA and DT values, moved; null where one of them is no day. */
function shifted(value: Uint8Array, days: number): Uint8Array | null {
  const moved = latin
    .decode(value)
    .split("\\")
    .map((text) => {
      const [, year, month, day, rest] = /^(\d{4})(\d{2})(\d{2})([\d.+\-\s\0]*)$/.exec(text) ?? [];
      if (rest === undefined) return text.replace(/[\s\0]/g, "") === "" ? text : null;
      const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) + days));
      return Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 || at.getUTCFullYear() < 0
        ? null
        : at.toISOString().slice(0, 10).replaceAll("-", "") + rest;
    });
  return moved.every((text) => text !== null) ? textBytes(moved.join("\\"), 0x20) : null;
}

const otherUids = (value: Uint8Array, { how }: Work): Uint8Array =>
  textBytes(
    latin
      .decode(value)
      .split("\\")
      .map((uid) => otherUid(uid.replace(/[\0\s]/g, ""), how))
      .join("\\"),
    0,
  );
/** UIDs that the standard itself defines (classes, well-known frames of reference) name no patient and stay. */
const otherUid = (uid: string, how: Deidentification): string =>
  uid === "" || uid.startsWith("1.2.840.10008.") ? uid : how.uid(uid);

const dummies: Readonly<Record<string, string>> = {
  DA: "19000101",
  TM: "000000",
  DT: "19000101000000",
  DS: "0",
  IS: "0",
};
const dummyOf = (vr: string, length: number): Uint8Array =>
  /^(O.|U[LNSV]|S[LSV]|F.|AT)$/.test(vr) ? new Uint8Array(length) : textBytes(dummies[vr] ?? "REMOVED", 0x20);

const latin = new TextDecoder("latin1");
function textBytes(text: string, padding: number): Uint8Array {
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return bytes.length % 2 === 0 ? bytes : joinBytes([bytes, Uint8Array.of(padding)]);
}

/** A zeroed preamble, and file meta information without any trace of the file's origin (PS3.10 7.1). */
function headOf(file: DicomFile, { how }: Work): Uint8Array[] {
  const encoding: Encoding = { explicit: true, little: true };
  const written = (tag: Tag, vr: string, value: Uint8Array) => encodedElement({ tag, vr }, value, encoding);
  const uid = file.text(tags.sopInstance) ?? file.text("x00020003");
  const syntax = file.transferSyntax === deflatedSyntax ? explicitSyntax : file.transferSyntax;
  const meta = joinBytes([
    written("x00020001", "OB", Uint8Array.of(0, 1)),
    written("x00020002", "UI", textBytes(file.text(tags.sopClass) ?? file.text("x00020002") ?? "", 0)),
    ...(uid === null ? [] : [written("x00020003", "UI", textBytes(otherUid(uid, how), 0))]),
    written("x00020010", "UI", textBytes(syntax, 0)),
    written("x00020012", "UI", textBytes(implementation.uid, 0)),
    written("x00020013", "SH", textBytes(implementation.name, 0x20)),
  ]);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, meta.length, true);
  return [new Uint8Array(128), textBytes("DICM", 0), written("x00020000", "UL", length), meta];
}

/** Returns the elements that declare the de-identification (PS3.15 E.1.1, codes of PS3.16 CID 7050). */
function marksOf(how: Deidentification, encoding: Encoding): Map<Tag, Uint8Array> {
  const written = (tag: Tag, vr: string, value: Uint8Array | string): [Tag, Uint8Array] => [
    tag,
    encodedElement(
      { tag, vr: encoding.explicit ? vr : undefined },
      typeof value === "string" ? textBytes(value, 0x20) : value,
      encoding,
    ),
  ];
  const code = ([value, meaning]: readonly [string, string]) =>
    encodedItem(
      false,
      joinBytes([
        written("x00080100", "SH", value)[1],
        written("x00080102", "SH", "DCM")[1],
        written("x00080104", "LO", meaning)[1],
      ]),
      encoding,
    );
  return new Map([
    written("x00100010", "PN", how.pseudonym),
    written("x00100020", "LO", how.pseudonym),
    written("x00120062", "CS", "YES"),
    written("x00120063", "LO", "PS3.15 E Basic Application Level Confidentiality Profile"),
    written("x00120064", "SQ", joinBytes(codesOf(how).map(code))),
    written("x00280303", "CS", how.dates === "kept" ? "UNMODIFIED" : how.dates === "removed" ? "REMOVED" : "MODIFIED"),
  ]);
}

const codesOf = (how: Deidentification): (readonly [string, string])[] => [
  ["113100", "Basic Application Confidentiality Profile"],
  ...(how.descriptions ? [["113105", "Clean Descriptors Option"] as const] : []),
  ...(how.dates === "kept" ? [["113106", "Retain Longitudinal Temporal Information Full Dates Option"] as const] : []),
  ...(typeof how.dates === "number"
    ? [["113107", "Retain Longitudinal Temporal Information Modified Dates Option"] as const]
    : []),
  ...(how.device ? [["113109", "Retain Device Identity Option"] as const] : []),
];
