import { joinBytes } from "@arcada/imaging/dicom/bytes";
import { askedSet, declaredAs, encodedText, type WrittenSet } from "@arcada/imaging/dicom/charset-write";
import type { BareDataSet, BareElement } from "@arcada/imaging/dicom/data-set";
import { encodedElement, encodedItem } from "@arcada/imaging/dicom/element-bytes";
import { tags, type Tag } from "@arcada/imaging/dicom/tags";
import { keys, step, stepKeys } from "./worklist-keys.ts";
import type { Scheduled } from "./worklist-entry.ts";

interface Value {
  vr: string;
  text: string;
}
type Values = ReadonlyMap<Tag, Value>;

/**
 * Writes results in the form that a search requests: only its keys (PS3.4 K.4.1.1.3), in its transfer syntax and its
 * character set.
 */
export function answerer(asked: BareDataSet, explicit: boolean, usual: WrittenSet): (entry: Scheduled) => Buffer {
  const named = asked.item.texts(tags.characterSet);
  const set = named.length === 0 ? null : askedSet(named);
  return (entry) => {
    const [top, inner] = [topOf(entry), stepOf(entry)];
    for (const [declared, isLatin] of ways(set, usual)) {
      const writer = { explicit, set: declared, isLatin };
      const bytes = written(asked, top, inner, writer);
      if (bytes) return Buffer.from(bytes);
    }
    throw new Error("UTF-8 lacks no letter");
  };
}

/**
 * Character sets to try, in this order: the requested one (ASCII if none); for a requested set without Chinese, the
 * Latin group of names alone; if none was requested, the usual one; last UTF-8, which has every character.
 */
function* ways(set: WrittenSet | null, usual: WrittenSet): Generator<readonly [WrittenSet, boolean]> {
  yield [set ?? "ISO_IR 6", false];
  if (set === "ISO_IR 100" || set === "ISO_IR 6") yield [set, true];
  if (set === null) yield [usual, false];
  yield ["ISO_IR 192", false];
}

const topOf = (entry: Scheduled): Values =>
  new Map<Tag, Value>([
    [keys.accessionNumber, { vr: "SH", text: entry.accessionNumber }],
    [keys.patientName, { vr: "PN", text: entry.patientName }],
    [keys.patientNumber, { vr: "LO", text: entry.patientNumber }],
    [keys.birthDate, { vr: "DA", text: entry.birthDate }],
    [keys.sex, { vr: "CS", text: entry.sex }],
    [keys.study, { vr: "UI", text: entry.study }],
    [keys.procedure, { vr: "LO", text: entry.procedure }],
    [keys.procedureId, { vr: "SH", text: entry.procedureId }],
  ]);
const stepOf = (entry: Scheduled): Values =>
  new Map<Tag, Value>([
    [stepKeys.modality, { vr: "CS", text: entry.modality }],
    [stepKeys.station, { vr: "AE", text: entry.station }],
    [stepKeys.date, { vr: "DA", text: entry.date }],
    [stepKeys.time, { vr: "TM", text: entry.time }],
    [stepKeys.stepDescription, { vr: "LO", text: entry.stepDescription }],
    [stepKeys.stepId, { vr: "SH", text: entry.stepId }],
  ]);

interface Writer {
  explicit: boolean;
  set: WrittenSet;
  isLatin: boolean;
}

/** Null: the character set lacks a character. */
function written(asked: BareDataSet, top: Values, inner: Values, writer: Writer): Uint8Array | null {
  const parts: (Uint8Array | null)[] = [];
  const isPlain = writer.set === "ISO_IR 6";
  const elements = asked.elements.filter(({ tag }) => tag !== tags.characterSet && !tag.endsWith("0000"));
  const declared: BareElement = { tag: tags.characterSet, vr: "CS", items: null };
  for (const element of [...(isPlain ? [] : [declared]), ...elements].toSorted(byTag)) {
    if (element === declared) parts.push(valueOf(element, { vr: "CS", text: declaredAs(writer.set) }, writer));
    else if (element.tag === step) parts.push(stepBytes(element, inner, writer));
    else parts.push(valueOf(element, top.get(element.tag), writer));
  }
  return parts.includes(null) ? null : joinBytes(parts as Uint8Array[]);
}

const byTag = (one: BareElement, other: BareElement): number => (one.tag < other.tag ? -1 : 1);

/** A sequence that names no elements requests all of them. */
function stepBytes({ items }: BareElement, inner: Values, writer: Writer): Uint8Array | null {
  const named = items?.[0]?.elements.filter(({ tag }) => !tag.endsWith("0000")) ?? [];
  const everything = [...inner.keys()].map((tag): BareElement => ({ tag, vr: undefined, items: null }));
  const elements = named.length > 0 ? named : everything.toSorted(byTag);
  const values = elements.map((element) => valueOf(element, inner.get(element.tag), writer));
  if (values.includes(null)) return null;
  const { explicit } = writer;
  const item = encodedItem(false, joinBytes(values as Uint8Array[]), little(explicit));
  return encodedElement({ tag: step, ...(explicit && { vr: "SQ" }) }, item, little(explicit));
}

const little = (explicit: boolean) => ({ explicit, little: true });

/** Encodes one element; a value that is not known here is returned empty. */
function valueOf({ tag, vr, items }: BareElement, value: Value | undefined, writer: Writer): Uint8Array | null {
  const { explicit, set, isLatin } = writer;
  const form = value?.vr ?? (items ? "SQ" : vr) ?? "UN";
  const text = value?.vr === "PN" && isLatin ? value.text.split("=")[0]! : (value?.text ?? "");
  const bytes = encodedText(text, set);
  if (!bytes) return null;
  const padding = bytes.length % 2 === 1 ? [Uint8Array.of(form === "UI" ? 0 : 0x20)] : [];
  return encodedElement({ tag, ...(explicit && { vr: form }) }, joinBytes([bytes, ...padding]), little(explicit));
}
