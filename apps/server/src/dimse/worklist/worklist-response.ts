import { joinBytes } from "@arcada/imaging/join-bytes";
import type { WritableCharset } from "@arcada/imaging/dicom/write/encode-text";
import type { StandaloneDataSet, StandaloneElement } from "@arcada/imaging/dicom/parse/read-data-set";
import { encodeElement, encodeItem } from "@arcada/imaging/dicom/write/encode-element";
import { tags, type Tag } from "@arcada/imaging/dicom/parse/tags";
import { declaredSet, encodeInRequestedSet, encodeTextValue, type AnswerEncoding } from "../response-character-set.ts";
import { topLevelKeys, stepSequence, stepKeys } from "./worklist-query.ts";
import type { ScheduledStep } from "./scheduled-step.ts";

interface ElementValue {
  vr: string;
  text: string;
}
type ElementValues = ReadonlyMap<Tag, ElementValue>;

/**
 * Writes results in the form that a search requests: only its keys (PS3.4 K.4.1.1.3), in its transfer syntax and its
 * character set.
 */
export function createResponseWriter(
  query: StandaloneDataSet,
  explicit: boolean,
  defaultSet: WritableCharset,
): (entry: ScheduledStep) => Buffer {
  return (entry) => {
    const [top, inner] = [topLevelValues(entry), stepValues(entry)];
    return encodeInRequestedSet(query, { explicit, defaultSet }, (writer) => encodeResponse(query, top, inner, writer));
  };
}

const topLevelValues = (entry: ScheduledStep): ElementValues =>
  new Map<Tag, ElementValue>([
    [topLevelKeys.accessionNumber, { vr: "SH", text: entry.accessionNumber }],
    [topLevelKeys.patientName, { vr: "PN", text: entry.patientName }],
    [topLevelKeys.patientNumber, { vr: "LO", text: entry.patientNumber }],
    [topLevelKeys.birthDate, { vr: "DA", text: entry.birthDate }],
    [topLevelKeys.sex, { vr: "CS", text: entry.sex }],
    [topLevelKeys.study, { vr: "UI", text: entry.study }],
    [topLevelKeys.procedure, { vr: "LO", text: entry.procedure }],
    [topLevelKeys.procedureId, { vr: "SH", text: entry.procedureId }],
  ]);
const stepValues = (entry: ScheduledStep): ElementValues =>
  new Map<Tag, ElementValue>([
    [stepKeys.modality, { vr: "CS", text: entry.modality }],
    [stepKeys.station, { vr: "AE", text: entry.station }],
    [stepKeys.date, { vr: "DA", text: entry.date }],
    [stepKeys.time, { vr: "TM", text: entry.time }],
    [stepKeys.stepDescription, { vr: "LO", text: entry.stepDescription }],
    [stepKeys.stepId, { vr: "SH", text: entry.stepId }],
  ]);

/** Null: a character is missing in the character set. */
function encodeResponse(
  query: StandaloneDataSet,
  top: ElementValues,
  inner: ElementValues,
  writer: AnswerEncoding,
): Uint8Array | null {
  const parts: (Uint8Array | null)[] = [];
  const named = declaredSet(writer);
  const elements = query.elements.filter(({ tag }) => tag !== tags.characterSet && !tag.endsWith("0000"));
  const declared: StandaloneElement = { tag: tags.characterSet, vr: "CS", items: null };
  for (const element of [...(named === null ? [] : [declared]), ...elements].toSorted(compareTags)) {
    if (element === declared) parts.push(encodeValue(element, { vr: "CS", text: named ?? "" }, writer));
    else if (element.tag === stepSequence) parts.push(encodeStepSequence(element, inner, writer));
    else parts.push(encodeValue(element, top.get(element.tag), writer));
  }
  return parts.includes(null) ? null : joinBytes(parts as Uint8Array[]);
}

const compareTags = (one: StandaloneElement, other: StandaloneElement): number => (one.tag < other.tag ? -1 : 1);

/** A sequence that names no elements requests all of them. */
function encodeStepSequence(
  { items }: StandaloneElement,
  inner: ElementValues,
  writer: AnswerEncoding,
): Uint8Array | null {
  const named = items?.[0]?.elements.filter(({ tag }) => !tag.endsWith("0000")) ?? [];
  const everything = [...inner.keys()].map((tag): StandaloneElement => ({ tag, vr: undefined, items: null }));
  const elements = named.length > 0 ? named : everything.toSorted(compareTags);
  const values = elements.map((element) => encodeValue(element, inner.get(element.tag), writer));
  if (values.includes(null)) return null;
  const { explicit } = writer;
  const item = encodeItem(false, joinBytes(values as Uint8Array[]), littleEndian(explicit));
  return encodeElement({ tag: stepSequence, ...(explicit && { vr: "SQ" }) }, item, littleEndian(explicit));
}

const littleEndian = (explicit: boolean) => ({ explicit, little: true });

/** Encodes one element; a value that is not known here is returned empty. */
function encodeValue(
  { tag, vr, items }: StandaloneElement,
  value: ElementValue | undefined,
  writer: AnswerEncoding,
): Uint8Array | null {
  const { explicit } = writer;
  const form = value?.vr ?? (items ? "SQ" : vr) ?? "UN";
  const bytes = encodeTextValue(form, value?.text ?? "", writer);
  return bytes && encodeElement({ tag, ...(explicit && { vr: form }) }, bytes, littleEndian(explicit));
}
