import { z } from "zod";
import { day, id, limited, localDateTime, text } from "../kernel/fields.ts";
import { sexes } from "./patient-field-definition.ts";

export const launchRules = {
  codeSeconds: 60,
  /** A code that somebody brings who is not signed in is kept for this long, until the sign-in is done. */
  claimSeconds: 900,
  maxNumber: 64,
  /** The length of a record's entry number. */
  maxStoredNumber: 40,
  maxStudies: 20,
  maxNewest: 1000,
} as const;

/** The person whom another program names. The name is in DICOM form: family name, "^", given name; or the full name. */
export const launchedPerson = z.object({
  number: text(launchRules.maxNumber).default(""),
  name: text(80).default(""),
  birthDate: day.nullable().default(null),
  sex: z.enum(sexes).nullable().default(null),
});
export type LaunchedPerson = z.output<typeof launchedPerson>;

/** The request of another program: a person, or studies by their UIDs or accession number. */
export const launchRequest = z
  .object({
    person: launchedPerson.optional(),
    studies: z
      .array(limited(64).regex(/^[\d.]+$/))
      .min(1)
      .max(launchRules.maxStudies)
      .optional(),
    accession: text(64).optional(),
    /** The same by Arcada's own ids, for programs that were given a list of images. */
    studyIds: z.array(id).min(1).max(launchRules.maxStudies).optional(),
    /** Only so many of the newest studies, and only those taken between two local times. */
    newest: z.int().min(1).max(launchRules.maxNewest).optional(),
    from: localDateTime.optional(),
    to: localDateTime.optional(),
  })
  .refine(
    ({ person, studies, accession, studyIds }) => isPersonNamed(person) || studies || accession || studyIds,
    "invalid",
  );
export type LaunchRequest = z.output<typeof launchRequest>;

/** Reasons for which an address opens nothing; the page explains each. */
export const launchProblems = [
  "nothing",
  "requestType",
  "patientMissing",
  "studyMissing",
  "studyTwice",
  "value",
] as const;
export type LaunchProblem = (typeof launchProblems)[number];
export type LaunchAddress =
  | { code: string }
  | { request: LaunchRequest }
  | { problem: LaunchProblem; parameter?: string };

/**
 * Reads the query of a launch address: a one-time code, the parameters of IHE Invoke Image Display, or the practice's
 * own number with a name, birth date and sex. Names of parameters may be in any case, and unknown ones are ignored.
 */
export function readLaunchAddress(query: URLSearchParams): LaunchAddress {
  const given = new Map<string, string>();
  for (const [name, value] of query) {
    const key = name.toLowerCase();
    // Some programs leave the place-holder of a field that they do not have.
    if (!given.has(key) && value.trim() !== "" && !/^\[\w+\]$/.test(value.trim())) given.set(key, value.trim());
  }
  const code = given.get("code");
  if (code !== undefined) return { code };
  const missing = findMissingKey(given);
  if (missing) return { problem: missing };
  const raw = buildRequest(given);
  const { data, error } = launchRequest.safeParse(raw);
  if (data) return { request: data };
  const field = error.issues[0]?.path.find((part) => typeof part === "string" && part !== "person");
  return { problem: "value", ...(field !== undefined && { parameter: parameterOf[String(field)] ?? String(field) }) };
}

/** The parameter to name in an error; a field that is not here has the name of its parameter. */
const parameterOf: Record<string, string> = {
  number: "patientID",
  studies: "studyUID",
  accession: "accessionNumber",
  newest: "mostRecentResults",
  from: "lowerDateTime",
  to: "upperDateTime",
};

function findMissingKey(given: ReadonlyMap<string, string>): LaunchProblem | null {
  const type = given.get("requesttype")?.toUpperCase();
  const studyKeys = ["studyuid", "accessionnumber"].filter((key) => given.has(key)).length;
  if (type === "STUDY") return studyKeys === 1 ? null : studyKeys === 0 ? "studyMissing" : "studyTwice";
  const isPerson = ["patientid", "practicenumber"].some((key) => given.has(key));
  if (type === "PATIENT") return isPerson ? null : "patientMissing";
  if (type !== undefined) return "requestType";
  if (studyKeys === 2) return "studyTwice";
  return isPerson || studyKeys === 1 || (readName(given) !== "" && given.has("birthdate")) ? null : "nothing";
}

function buildRequest(given: ReadonlyMap<string, string>): unknown {
  const type = given.get("requesttype")?.toUpperCase();
  const studies = type === "PATIENT" ? undefined : given.get("studyuid");
  const accession = type === "PATIENT" ? undefined : given.get("accessionnumber");
  // A caller that names a study means the study; the person beside it would only contradict it.
  if (studies !== undefined) return { studies: studies.split(/[,;]/).map((uid) => uid.trim()) };
  if (accession !== undefined) return { accession };
  const newest = given.get("mostrecentresults");
  const from = given.get("lowerdatetime");
  const to = given.get("upperdatetime");
  return {
    person: {
      // HL7 CX: the identifier, then its check digit, scheme and issuer.
      number: given.get("practicenumber") ?? given.get("patientid")?.split("^")[0] ?? "",
      name: readName(given),
      birthDate: readLaunchDay(given.get("birthdate") ?? ""),
      sex: readLaunchSex(given.get("sex") ?? ""),
    },
    ...(newest !== undefined && { newest: /^\d{1,6}$/.test(newest) ? Math.min(Number(newest), 1000) : newest }),
    ...(from !== undefined && { from: readLaunchTime(from, "00:00:00") }),
    ...(to !== undefined && { to: readLaunchTime(to, "23:59:59") }),
  };
}

function readName(given: ReadonlyMap<string, string>): string {
  const parts = [given.get("lastname") ?? "", given.get("firstname") ?? ""].map((part) => part.replaceAll("^", " "));
  return given.get("name") ?? parts.join("^").replace(/\^$/, "");
}

/**
 * Reads a birth date as yyyy-mm-dd, yyyymmdd or, with points, dd.mm.yyyy. Other orders of day and month are not
 * guessed.
 * @returns null for another form, and for a day that does not exist
 */
export function readLaunchDay(value: string): string | null {
  const [, year, month, date] = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(value) ?? [];
  const [, otherDate, otherMonth, otherYear] = /^(\d\d?)\.(\d\d?)\.(\d{4})$/.exec(value) ?? [];
  const iso = [year ?? otherYear ?? "", month ?? otherMonth ?? "", date ?? otherDate ?? ""]
    .map((part, at) => part.padStart(at === 0 ? 4 : 2, "0"))
    .join("-");
  return day.safeParse(iso).data ?? null;
}

/** Reads the letters and digits with which practice programs, DICOM and GDT write a sex. */
export const readLaunchSex = (value: string): LaunchedPerson["sex"] =>
  sexByLetter[value.slice(0, 6).toLowerCase()] ?? null;
const sexByLetter: Readonly<Record<string, LaunchedPerson["sex"]>> = {
  "1": "male",
  m: "male",
  male: "male",
  "2": "female",
  f: "female",
  w: "female",
  female: "female",
  o: "other",
  d: "other",
  x: "other",
  other: "other",
};

/** Reads a local date or time in the form of ISO 8601 or of DICOM; the zone is ignored, as devices write none. */
function readLaunchTime(value: string, timeOfDay: string): string {
  const [, year, month, date, hour, minute, second] =
    /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ]?(\d\d):?(\d\d)(?::?(\d\d))?)?/.exec(value) ?? [];
  const time = hour === undefined ? timeOfDay : `${hour}:${minute}:${second ?? "00"}`;
  return year === undefined ? value : `${year}-${month}-${date}T${time}`;
}

const isPersonNamed = (person: LaunchedPerson | undefined): boolean =>
  person !== undefined && (person.number !== "" || (person.name !== "" && person.birthDate !== null));

const eastAsian = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+$/u;

/** A name in DICOM form (family name, "^", given name) as records hold it: 王小明, Anna Müller. */
export function toRecordName(name: string): string {
  const parts = name
    .split("=")[0]!
    .split("^")
    .map((part) => part.trim());
  const [family = "", given = "", middle = ""] = parts;
  const isJoined = parts.every((part) => part === "" || eastAsian.test(part));
  return isJoined ? family + given + middle : [given, middle, family].filter(Boolean).join(" ");
}
