import { matchesWildcards } from "@arcada/contract/device/wildcard-matching";
import type { DicomItem } from "@arcada/imaging/dicom/parse/dicom-item";
import { readDataSet, type StandaloneDataSet } from "@arcada/imaging/dicom/parse/read-data-set";
import type { Tag } from "@arcada/imaging/dicom/parse/tags";
import { ServiceRefused } from "../service.ts";
import type { ScheduledStep } from "./scheduled-step.ts";
import { trimEndMatching } from "../../platform/text/trim-characters.ts";

/** PS3.4 K.6.1.2: the first item of the Scheduled Procedure Step Sequence contains half of the keys. */
export const stepSequence = "x00400100";
export const topLevelKeys = {
  patientName: "x00100010",
  patientNumber: "x00100020",
  birthDate: "x00100030",
  sex: "x00100040",
  accessionNumber: "x00080050",
  study: "x0020000d",
  procedureId: "x00401001",
  procedure: "x00321060",
} as const satisfies Record<string, Tag>;
export const stepKeys = {
  modality: "x00080060",
  station: "x00400001",
  date: "x00400002",
  time: "x00400003",
  stepDescription: "x00400007",
  stepId: "x00400009",
} as const satisfies Record<string, Tag>;

export interface WorklistQuery {
  /** The name and number of a patient as in the query; "" matches any patient. */
  name: string;
  number: string;
  /** YYYYMMDD, both inclusive; "" where open. */
  days: readonly [from: string, to: string];
  /** The application (AE title) and the modality that the search is restricted to; "": any. */
  station: string;
  modality: string;
  /** The other keys. */
  matches(entry: ScheduledStep): boolean;
  /** For entries that were not yet selected by name and number. */
  matchesPatient(entry: ScheduledStep): boolean;
}

/** Longer than any value of a key (PS3.5 6.2: a name has three groups of 64 letters). */
const maxKeyLength = 200;

/**
 * Parses the keys of a search (PS3.4 C.2.2.2): single values, wildcards, ranges; an empty key matches everything.
 * Throws RangeError for a key that no value could match.
 */
export function parseWorklistQuery(identifier: DicomItem): WorklistQuery {
  const inner = identifier.sequence(stepSequence)[0];
  const readKey = (item: DicomItem | undefined, tag: Tag): string => {
    const text = (item?.texts(tag) ?? []).join("\\").trim();
    if (text.length > maxKeyLength) throw new RangeError(`a long key: ${tag}`);
    return text;
  };
  const [name, number] = [
    readKey(identifier, topLevelKeys.patientName),
    readKey(identifier, topLevelKeys.patientNumber),
  ];
  const days = parseRange(readKey(inner, stepKeys.date));
  const times = parseRange(readKey(inner, stepKeys.time));
  const plain = (Object.keys(topLevelKeys) as (keyof typeof topLevelKeys)[])
    .filter((key) => key !== "patientName" && key !== "patientNumber")
    .map((key) => [key, readKey(identifier, topLevelKeys[key])] as const);
  const plainStep = (["modality", "station", "stepDescription", "stepId"] as const).map(
    (key) => [key, readKey(inner, stepKeys[key])] as const,
  );
  return {
    name: isEverything(name) ? "" : name,
    number: isEverything(number) ? "" : number,
    days,
    station: readKey(inner, stepKeys.station),
    modality: readKey(inner, stepKeys.modality),
    matches: (entry) =>
      within(days, entry.date) &&
      within(times, entry.time) &&
      [...plain, ...plainStep].every(([key, wanted]) => wanted === "" || isLike(wanted, entry[key])),
    matchesPatient: (entry) =>
      (isEverything(name) || isNamed(name, entry.patientName)) &&
      (isEverything(number) || isLike(number, entry.patientNumber)),
  };
}

const isEverything = (wanted: string): boolean => /^[*^=]*$/.test(wanted);

/** PS3.4 C.2.2.2.5: A-B, A-, -B, or one value alone. Times are compared by as many digits as the query has. */
function parseRange(wanted: string): readonly [string, string] {
  const [from = "", to] = wanted.split("-").map((part) => part.replaceAll(/[.:\s]/g, "").slice(0, 8));
  return [from, to ?? from];
}
const within = ([from, to]: readonly [string, string], value: string): boolean =>
  (from === "" || value.slice(0, from.length) >= from) && (to === "" || value.slice(0, to.length) <= to);

/** Matches any value of a backslash-separated list. */
const isLike = (wanted: string, value: string): boolean =>
  wanted.split("\\").some((one) => matchesWildcards(one.trim(), value));

/** A name matches by any of its groups, with or without the carets between its parts. */
function isNamed(wanted: string, name: string): boolean {
  const folded = (text: string): string => trimEndMatching(text.normalize("NFKC").toLowerCase(), /\^/).trim();
  const forms = [name, ...name.split("=")].flatMap((form) => [folded(form), folded(form).replaceAll("^", "")]);
  // People who type at a device leave out the parts after the family name.
  const patterns = [folded(wanted), `${folded(wanted)}^*`, folded(wanted).replaceAll("^", "")];
  return patterns.some((pattern) => forms.some((form) => matchesWildcards(pattern, form)));
}

const maxElements = 200;

/** Parses the identifier of a search. Throws ServiceRefused. */
export function parseWorklistIdentifier(identifier: Buffer, explicit: boolean): [StandaloneDataSet, WorklistQuery] {
  try {
    const asked = readDataSet(identifier, { explicit });
    if (asked.elements.length > maxElements) throw new RangeError("many keys");
    return [asked, parseWorklistQuery(asked.item)];
  } catch {
    throw new ServiceRefused("otherThanSaid", "the identifier cannot be read");
  }
}

/** The part of a search that selects records: name, number or days. Without any, today's patients. */
export interface WorklistFilter {
  name?: string;
  number?: string;
  from?: string;
  to?: string;
}
/** Limits for an open range of days. */
const [firstDay, lastDay] = ["1900-01-01", "2999-12-31"];

export function toWorklistFilter({ name, number, days: [from, to] }: WorklistQuery): WorklistFilter {
  const [begin, end] = [parseDay(from), parseDay(to)];
  const hasDays = begin !== null || end !== null;
  return {
    ...(name !== "" && { name }),
    // A partial number is matched here, among the patients of these days.
    ...(number !== "" && !/[*?\\]/.test(number) && { number }),
    ...(hasDays && { from: begin ?? firstDay, to: end ?? lastDay }),
  };
}
function parseDay(text: string): string | null {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  const iso = `${year}-${month}-${day}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(iso) ? null : iso;
}
