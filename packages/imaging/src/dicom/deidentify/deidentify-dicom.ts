import type { DataSet, Element } from "dicom-parser";
import { joinBytes } from "../../join-bytes.ts";
import { findBurntIn, type BurntInReason } from "./identifying-pixels.ts";
import { encodeElement, encodeItem, type Encoding } from "../write/encode-element.ts";
import { DicomError } from "../dicom-error.ts";
import { isLittleEndian, type DicomItem } from "../parse/dicom-item.ts";
import { readDicom } from "../parse/read-dicom.ts";
import { isOffsetTable, rebuildBinary, rebuildPixels } from "./rebuild-pixels.ts";
import { findProfileRule, type ProfileRule } from "./confidentiality-profile.ts";
import { createIdentityMatcher, type IdentityMatcher } from "./identity-matcher.ts";
import { tags, type Tag } from "../parse/tags.ts";
import { implementation } from "../write/write-dicom.ts";
import type { DicomFile } from "../parse/dicom-file.ts";

export interface DeidentifyOptions {
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

export interface DeidentifiedFile {
  bytes: Uint8Array<ArrayBuffer>;
  /** Reasons for which the pixels may still name or show the patient; the pixels are never changed. */
  warnings: BurntInReason[];
}

/**
 * De-identifies a file by the Basic Application Level Confidentiality Profile (PS3.15 E) and the chosen options.
 * Elements that the profile keeps stay byte for byte, in their transfer syntax (a deflated one becomes Explicit VR
 * Little Endian). Beyond the profile, every person name and every text that contains the patient's name or number is
 * removed.
 * @throws DicomError as readDicom; unsupported for a directory of media (DICOMDIR), whose offsets would be wrong.
 */
export function deidentifyDicom(bytes: Uint8Array, options: DeidentifyOptions): DeidentifiedFile {
  const file = readDicom(bytes);
  if (file.has("x00041220")) throw new DicomError("unsupported", "a directory of media");
  const encoding: Encoding = { explicit: file.transferSyntax !== implicitSyntax, little: isLittleEndian(file.dataSet) };
  const context: DeidentifyContext = { options, identity: createIdentityMatcher(file, options.known), encoding };
  const methodElements = encodeDeidentificationMethod(options, encoding);
  const body = encodeElements(
    file.dataSet,
    file,
    context,
    (tag) => methodElements.get(tag) ?? encodePixels(file, tag, encoding),
  );
  const missing = [...methodElements].filter(([tag]) => file.dataSet.elements[tag] === undefined);
  const parts = [...body, ...missing].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    bytes: joinBytes([...encodePreambleAndMeta(file, context), ...parts.map(([, element]) => element)]),
    warnings: findBurntIn(file),
  };
}

function encodePixels(file: DicomFile, tag: Tag, encoding: Encoding): Uint8Array | undefined {
  const element = tag === tags.pixels ? file.dataSet.elements[tag] : undefined;
  if (!element) return undefined;
  const value = file.dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
  return encodeElement(element, rebuildPixels(file, element, value), encoding);
}

const implicitSyntax = "1.2.840.10008.1.2";
const explicitSyntax = "1.2.840.10008.1.2.1";
const deflatedSyntax = "1.2.840.10008.1.2.1.99";

interface DeidentifyContext {
  options: DeidentifyOptions;
  identity: IdentityMatcher;
  encoding: Encoding;
}
type EncodedElement = [tag: Tag, bytes: Uint8Array];

/** Returns the elements that remain of a data set; `given` returns those that are written anew. */
function encodeElements(
  dataSet: DataSet,
  item: DicomItem,
  context: DeidentifyContext,
  replacementFor: (tag: Tag) => Uint8Array | undefined = () => undefined,
): EncodedElement[] {
  const elements = Object.values(dataSet.elements);
  // dicom-parser reads a deflated file from its first byte, and mistakes its preamble for elements.
  const start = Math.max(-1, ...elements.filter(({ tag }) => tag.startsWith("x0002")).map((meta) => meta.dataOffset));
  // Elements ascend (PS3.5 7.1): everything behind the pixels was appended.
  const last = dataSet.elements[tags.pixels]?.dataOffset ?? Number.POSITIVE_INFINITY;
  return elements.flatMap((element): EncodedElement[] => {
    const tag = element.tag as Tag;
    if (element.dataOffset < start || element.dataOffset > last || isOffsetTable(tag)) return [];
    // File meta information is rewritten, delimiters with their items; group lengths would be wrong.
    if (tag.startsWith("x0002") || tag.startsWith("xfffe") || tag.endsWith("0000")) return [];
    const bytes = replacementFor(tag) ?? applyProfile(element, dataSet, item, context);
    return bytes === null ? [] : [[tag, bytes]];
  });
}

/** Null: removed. */
function applyProfile(
  element: Element,
  dataSet: DataSet,
  item: DicomItem,
  context: DeidentifyContext,
): Uint8Array | null {
  const rule = findProfileRule(element.tag) ?? ruleByVr(element);
  const value = dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
  const encoded = (body: Uint8Array) => encodeElement(element, body, context.encoding);
  if (element.items) {
    if (rule?.action === "remove" && !keepsDevice(rule, context)) return null;
    if (rule?.action === "empty") return encoded(new Uint8Array(0));
    const inner = item.sequence(element.tag as Tag);
    return encoded(joinBytes(element.items.map((one, at) => encodeSequenceItem(one, inner[at], context))));
  }
  if (rule === undefined) {
    const known = isUnparsed(element, value) ? null : rebuildBinary(element, value);
    return known && keepUnlessIdentifying(element, item, context, known, encoded);
  }
  if (value.length === 0) return rule.action === "remove" ? null : encoded(value);
  const kept = retainedValue(rule, element, item, context, value);
  if (kept) return encoded(kept);
  if (rule.action === "remove") return null;
  if (rule.action === "empty") return encoded(new Uint8Array(0));
  if (rule.action === "uid") return encoded(replaceUids(value, context));
  return encoded(dummyValue(element.vr ?? rule.vr ?? "LO", value.length));
}

function encodeSequenceItem(one: Element, item: DicomItem | undefined, context: DeidentifyContext): Uint8Array {
  const inner = one.dataSet && item ? encodeElements(one.dataSet, item, context) : [];
  return encodeItem(one.hadUndefinedLength === true, joinBytes(inner.map(([, bytes]) => bytes)), context.encoding);
}

const keepsDevice = (rule: ProfileRule, { options }: DeidentifyContext): boolean =>
  rule.retainedAs === "device" && options.device;

/** The profile's table may be younger or older than a file: names and moments are known by their VR as well. */
function ruleByVr({ vr, items }: Element): ProfileRule | undefined {
  if (items) return undefined;
  if (vr === "PN" || vr === "AE") return { action: "empty" };
  return vr === "DA" || vr === "DT" ? { action: "empty", retainedAs: "time" } : undefined;
}

/** Returns true for an element that could contain a whole data set that was not parsed. */
const isUnparsed = ({ vr, tag, hadUndefinedLength }: Element, value: Uint8Array): boolean =>
  tag.startsWith("x7fe0")
    ? false
    : hadUndefinedLength === true ||
      ((vr === "UN" || vr === undefined) &&
        [
          [0xfe, 0xff, 0x00, 0xe0],
          [0xff, 0xfe, 0xe0, 0x00],
        ].some((start) => start.every((byte, at) => value[at] === byte)));

function keepUnlessIdentifying(
  element: Element,
  item: DicomItem,
  { identity }: DeidentifyContext,
  value: Uint8Array,
  encoded: (body: Uint8Array) => Uint8Array,
): Uint8Array {
  // Not emptied: the file may need it to be valid.
  const texts = mayBeText(element, value) ? item.texts(element.tag as Tag) : [];
  return texts.some((text) => !(hasUnknownVr(element) && figurePattern.test(text)) && identity.matchesPatient(text))
    ? encoded(dummyValue("LO", value.length))
    : encoded(value);
}

const maxTextBytes = 65_536;
/** Without a VR any short value may be text; the group of the pixels' description has none that people write. */
const mayBeText = (element: Element, value: Uint8Array): boolean => {
  const { vr, tag } = element;
  return hasUnknownVr(element)
    ? value.length <= maxTextBytes && !tag.startsWith("x0028") && !tag.startsWith("x7fe0")
    : /^(LO|LT|SH|ST|UC|UR|UT)$/.test(vr ?? "");
};
const hasUnknownVr = ({ vr }: Element): boolean => vr === undefined || vr === "UN";
/** Positions, angles, doses: a patient's short number occurs in many of them. */
const figurePattern = /^[\d.eE+\- ]*$/;

/** The value as an option keeps it; null where none does. */
function retainedValue(
  rule: ProfileRule,
  element: Element,
  item: DicomItem,
  context: DeidentifyContext,
  value: Uint8Array,
): Uint8Array | null {
  const { options, identity } = context;
  if (rule.retainedAs === "device")
    return options.device && !item.texts(element.tag as Tag).some(identity.matchesPatient) ? value : null;
  if (rule.retainedAs === "words")
    return options.descriptions && item.texts(element.tag as Tag).every(identity.isClean) ? value : null;
  if (rule.retainedAs !== "time" || options.dates === "removed" || !momentPattern.test(latin1.decode(value)))
    return null;
  return options.dates === "kept" || element.vr === "TM" || rule.vr === "TM" ? value : shiftDates(value, options.dates);
}

const momentPattern = /^[\d.:+\-\\\s\0]*$/;

/** Days in DA and DT values, moved; null where one of them is no day. */
function shiftDates(value: Uint8Array, days: number): Uint8Array | null {
  const moved = latin1
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
  return moved.every((text) => text !== null) ? encodePaddedText(moved.join("\\"), 0x20) : null;
}

const replaceUids = (value: Uint8Array, { options }: DeidentifyContext): Uint8Array =>
  encodePaddedText(
    latin1
      .decode(value)
      .split("\\")
      .map((uid) => replaceUid(uid.replace(/[\0\s]/g, ""), options))
      .join("\\"),
    0,
  );
/** UIDs that the standard itself defines (classes, well-known frames of reference) name no patient and stay. */
const replaceUid = (uid: string, options: DeidentifyOptions): string =>
  uid === "" || uid.startsWith("1.2.840.10008.") ? uid : options.uid(uid);

const dummyValues: Readonly<Record<string, string>> = {
  DA: "19000101",
  TM: "000000",
  DT: "19000101000000",
  DS: "0",
  IS: "0",
};
const dummyValue = (vr: string, length: number): Uint8Array =>
  /^(O.|U[LNSV]|S[LSV]|F.|AT)$/.test(vr)
    ? new Uint8Array(length)
    : encodePaddedText(dummyValues[vr] ?? "REMOVED", 0x20);

const latin1 = new TextDecoder("latin1");
function encodePaddedText(text: string, padding: number): Uint8Array {
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return bytes.length % 2 === 0 ? bytes : joinBytes([bytes, Uint8Array.of(padding)]);
}

/** A zeroed preamble, and file meta information without any trace of the file's origin (PS3.10 7.1). */
function encodePreambleAndMeta(file: DicomFile, { options }: DeidentifyContext): Uint8Array[] {
  const encoding: Encoding = { explicit: true, little: true };
  const written = (tag: Tag, vr: string, value: Uint8Array) => encodeElement({ tag, vr }, value, encoding);
  const uid = file.text(tags.sopInstance) ?? file.text("x00020003");
  const syntax = file.transferSyntax === deflatedSyntax ? explicitSyntax : file.transferSyntax;
  const meta = joinBytes([
    written("x00020001", "OB", Uint8Array.of(0, 1)),
    written("x00020002", "UI", encodePaddedText(file.text(tags.sopClass) ?? file.text("x00020002") ?? "", 0)),
    ...(uid === null ? [] : [written("x00020003", "UI", encodePaddedText(replaceUid(uid, options), 0))]),
    written("x00020010", "UI", encodePaddedText(syntax, 0)),
    written("x00020012", "UI", encodePaddedText(implementation.uid, 0)),
    written("x00020013", "SH", encodePaddedText(implementation.name, 0x20)),
  ]);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, meta.length, true);
  return [new Uint8Array(128), encodePaddedText("DICM", 0), written("x00020000", "UL", length), meta];
}

/** Returns the elements that declare the de-identification (PS3.15 E.1.1, codes of PS3.16 CID 7050). */
function encodeDeidentificationMethod(options: DeidentifyOptions, encoding: Encoding): Map<Tag, Uint8Array> {
  const written = (tag: Tag, vr: string, value: Uint8Array | string): [Tag, Uint8Array] => [
    tag,
    encodeElement(
      { tag, vr: encoding.explicit ? vr : undefined },
      typeof value === "string" ? encodePaddedText(value, 0x20) : value,
      encoding,
    ),
  ];
  const code = ([value, meaning]: readonly [string, string]) =>
    encodeItem(
      false,
      joinBytes([
        written("x00080100", "SH", value)[1],
        written("x00080102", "SH", "DCM")[1],
        written("x00080104", "LO", meaning)[1],
      ]),
      encoding,
    );
  return new Map([
    written("x00100010", "PN", options.pseudonym),
    written("x00100020", "LO", options.pseudonym),
    written("x00120062", "CS", "YES"),
    written("x00120063", "LO", "PS3.15 E Basic Application Level Confidentiality Profile"),
    written("x00120064", "SQ", joinBytes(listMethodCodes(options).map(code))),
    written(
      "x00280303",
      "CS",
      options.dates === "kept" ? "UNMODIFIED" : options.dates === "removed" ? "REMOVED" : "MODIFIED",
    ),
  ]);
}

const listMethodCodes = (options: DeidentifyOptions): (readonly [string, string])[] => [
  ["113100", "Basic Application Confidentiality Profile"],
  ...(options.descriptions ? [["113105", "Clean Descriptors Option"] as const] : []),
  ...(options.dates === "kept"
    ? [["113106", "Retain Longitudinal Temporal Information Full Dates Option"] as const]
    : []),
  ...(typeof options.dates === "number"
    ? [["113107", "Retain Longitudinal Temporal Information Modified Dates Option"] as const]
    : []),
  ...(options.device ? [["113109", "Retain Device Identity Option"] as const] : []),
];
