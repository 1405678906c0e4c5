import { sql, type RawBuilder } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { prepared } from "../platform/database/prepared-statements.ts";
import { isPlaceholderName, isSameName, nameSearchForms } from "./match-person-names.ts";
import type { Column, Row } from "../tables/row.ts";

/** The person whom files name, as they write it. */
export interface NamedPerson {
  name: string;
  number: string;
  birthDate: string | null;
}
export type Person = Row<"patient", "id" | "number" | "name" | "sex"> & {
  entryNumber: Column<"patient", "entry_number">;
  birthDate: Column<"patient", "birth_date">;
};
export type AgreeingField = "number" | "name" | "birthDate";
export interface Candidate extends Person {
  agrees: AgreeingField[];
}

/** Returns the fields in which a record agrees with the files. */
export function findAgreement(files: NamedPerson, person: Person): AgreeingField[] {
  const number = files.number.trim().toLowerCase();
  const numbers = [person.number, person.entryNumber ?? ""].map((own) => own.trim().toLowerCase());
  return [
    ...(number !== "" && numbers.includes(number) ? (["number"] as const) : []),
    ...(isSameName(files.name, person.name) ? (["name"] as const) : []),
    ...(files.birthDate !== null && files.birthDate === person.birthDate ? (["birthDate"] as const) : []),
  ];
}

/** True if the files name another person. De-identified names belong to nobody. */
export const namesOtherPerson = (files: NamedPerson, person: Pick<Person, "name" | "birthDate">): boolean =>
  !isPlaceholderName(files.name) &&
  (!isSameName(files.name, person.name) ||
    (files.birthDate !== null && person.birthDate !== null && files.birthDate !== person.birthDate));

/**
 * Returns the one patient to whom the files certainly belong: by the number in the files, else by name and birth date.
 * A number is not trusted if the rest names another person: devices count their patients from 1 too.
 */
export function findCertainMatch(
  files: NamedPerson,
  people: readonly Person[],
): { person: Person; by: "number" | "name" } | null {
  const found = people.map((person) => ({ person, agrees: findAgreement(files, person) }));
  const contradicts = (person: Person) =>
    namesOtherPerson(files, person) ||
    (files.birthDate !== null && person.birthDate !== null && files.birthDate !== person.birthDate);
  const numbered = found.filter(({ person, agrees }) => agrees.includes("number") && !contradicts(person));
  if (numbered.length > 0) return numbered.length === 1 ? { person: numbered[0]!.person, by: "number" } : null;
  const named = found.filter(({ agrees }) => agrees.includes("name") && agrees.includes("birthDate"));
  return named.length === 1 ? { person: named[0]!.person, by: "name" } : null;
}

const agreementScores: Record<AgreeingField, number> = { number: 4, name: 3, birthDate: 2 };
const maxCandidates = 5;
const scoreCandidate = ({ agrees }: Candidate): number => agrees.reduce((sum, one) => sum + agreementScores[one], 0);

/** Returns the patients whom the files may mean, the likeliest first. A birth date alone is not enough. */
export const rankCandidates = (files: NamedPerson, people: readonly Person[]): Candidate[] =>
  people
    .map((person) => ({ ...person, agrees: findAgreement(files, person) }))
    .filter((one) => scoreCandidate(one) > agreementScores.birthDate)
    .toSorted((one, other) => scoreCandidate(other) - scoreCandidate(one))
    .slice(0, maxCandidates);

/** Returns patients who share the number, the birth date or the name with the files. */
export const findSimilarPatients = async (db: Db, files: NamedPerson): Promise<Person[]> =>
  (await findSimilarPatientsOfEach(db, [files]))[0]!;

/** So many people are searched for at once: each may have two thousand namesakes. */
const peopleOfSearch = 64;

/**
 * Does the same for several people, in their order. One statement searches for many: the planner takes longer for one
 * person than the search does.
 */
export async function findSimilarPatientsOfEach(db: Db, people: readonly NamedPerson[]): Promise<Person[][]> {
  const searches = people.map(describeSearch);
  const texts = [...new Set(searches)].filter((text) => text !== null);
  const found = new Map<string, Person[]>();
  for (let from = 0; from < texts.length; from += peopleOfSearch) {
    const some = texts.slice(from, from + peopleOfSearch);
    const rows = Map.groupBy(await searchPatients(db, some), ({ place }) => place);
    for (const [place, text] of some.entries())
      found.set(
        text,
        (rows.get(place) ?? []).map(({ place: _, ...person }) => person),
      );
  }
  return searches.map((text) => (text === null ? [] : found.get(text)!));
}

/** A name in DICOM form has three groups, of which each can be written in two orders (PS3.5 6.2). */
const maxPatterns = 6;

/** Returns the search for a person as JSON; null if nothing can be searched for. */
function describeSearch({ name, number: given, birthDate }: NamedPerson): string | null {
  // Half a character is no JSON of the database.
  const number = given.trim().toWellFormed() || null;
  const forms = isPlaceholderName(name) ? [] : nameSearchForms(name.toWellFormed());
  // The record's name in pinyin is in its haystack; shorter patterns cannot use an index.
  const patterns = forms.filter((form) => /^[a-z]{4,}$/.test(form)).map((form) => `%${form}%`);
  if (number === null && birthDate === null && forms.length === 0) return null;
  return JSON.stringify({ number, birth: birthDate, forms, patterns: patterns.slice(0, maxPatterns) });
}

/**
 * Returns the patients whom each of these searches finds, with its place. Every condition has an index of its own: one
 * search with all of them would read all patients as soon as the planner misjudges a pattern.
 */
async function searchPatients(db: Db, searches: readonly string[]): Promise<(Person & { place: number })[]> {
  const living = (condition: RawBuilder<unknown>) =>
    sql`select id, number, entry_number as "entryNumber", name, sex, birth_date as "birthDate" from patient_living where ${condition}`;
  const { rows } = await sql<Person & { place: number }>`${prepared} select (given.place - 1)::int as place, best.*
    from unnest(${[...searches]}::text[]) with ordinality as given (search, place)
    cross join jsonb_to_record(given.search::jsonb) as q (number text, birth date, forms text[], patterns text[])
    cross join lateral (select * from (
        ${living(sql`number = q.number`)} union ${living(sql`entry_number = q.number`)}
        union ${living(sql`birth_date = q.birth`)} union ${living(sql`lower(name) = any(q.forms)`)}
        union select named.* from unnest(q.patterns) as form (pattern)
          cross join lateral (${living(sql`haystack like form.pattern`)}) named
      ) found
      -- The rows beyond the limit must not be those that distinguish two namesakes.
      order by (number = q.number or "entryNumber" = q.number) desc nulls last, lower(name) = any(q.forms) desc
      limit 2000) best`.execute(db);
  return rows;
}

/**
 * Keeps these patients from being merged, removed or erased; returns those that exist. Writers of studies take their
 * locks in this order: a job, collections, patients, studies, and then the rows below them; each of these by id.
 */
export async function lockPatients(db: Db, iid: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<Row<"patient", "id" | "deleted_at">>`${prepared} select id, deleted_at from patient
    where institution_id = ${iid} and id = any(${[...ids]}::uuid[]) order by id for key share`.execute(db);
  return new Set(rows.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id));
}

/** Serialises transactions that bring the same study into one collection, a patient's or the inbox. */
export const lockCollection = (db: Db, iid: string, patientId: string | null) =>
  sql`${prepared} select pg_advisory_xact_lock(hashtextextended(${`arcada collection ${patientId ?? `inbox ${iid}`}`}, 0))`.execute(
    db,
  );

/**
 * Locks the decision which of the studies with one UID the searches find: one transaction at a time decides. The lock
 * is taken after those of the studies and before the rows that depend on the decision.
 */
export const lockShownStudies = (db: Db, iid: string, studies: readonly string[]) =>
  sql`${prepared} select pg_advisory_xact_lock(hashtextextended('arcada shown ' || ${iid}::uuid || ' ' || u.uid, 0)) from (
    select uid from study where institution_id = ${iid} and id = any(${[...studies]}::uuid[]) and uid is not null
    union select uid from dicom_study where institution_id = ${iid} and study_id = any(${[...studies]}::uuid[])
    order by 1) u`.execute(db);
