import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { defaultDirection } from "@arcada/contract/patient/patient.calls";
import type { PatientFilter, PatientSort } from "@arcada/contract/patient/patient.calls";
import { searchTerms } from "../platform/text/search-terms.ts";
import { startOfDay } from "../domain/institution-time-zone.ts";

export type SqlPart = RawBuilder<unknown>;

/** The institution whose patients are read, the time zone in which its days begin, and the current day there. */
export interface PatientScope {
  iid: string;
  timeZone: string;
  today: string;
}

/** Conditions on rows `p` of `patient_living`: from the search words, on its own fields, and on related rows. */
export interface PatientConditions {
  words: SqlPart[];
  fields: SqlPart[];
  relatedRows: RelatedRows[];
}
/** Rows `t` of which a patient has one at least, or none. */
export interface RelatedRows {
  wanted: "yes" | "no";
  rows: SqlPart;
}
export const hasRelatedRows = ({ wanted, rows }: RelatedRows, patientId: SqlPart): SqlPart => {
  const found = sql`exists (select from ${rows} and t.patient_id = ${patientId})`;
  return wanted === "yes" ? found : sql`not ${found}`;
};
export function buildConditions({ iid, timeZone, today }: PatientScope, filter: PatientFilter): PatientConditions {
  const { search, sex, ageFrom, ageTo, createdFrom, createdTo, visitFrom, visitTo, ct, report } = filter;
  const { grams, patterns } = searchTerms(search ?? "");
  const words = [
    ...(grams.length > 0 ? [sql`p.grams @> ${grams}::text[]`] : []),
    ...patterns.map((pattern) => sql`p.haystack like ${pattern}`),
  ];
  const fields = [
    ...(sex ? [sql`p.sex = ${sex}`] : []),
    ...(ageFrom === undefined ? [] : [sql`p.born <= ${dateYearsBefore(today, ageFrom)}`]),
    ...(ageTo === undefined ? [] : [sql`p.born > ${dateYearsBefore(today, ageTo + 1)}`]),
    ...dateConditions(sql`p.created_at`, createdFrom, createdTo, timeZone),
    ...dateConditions(sql`p.last_visit_at`, visitFrom, visitTo, timeZone),
  ];
  const relatedRows = [
    ...relatedRowsFilter(ct, sql`patient_with_ct t where t.institution_id = ${iid}`),
    ...relatedRowsFilter(report, sql`report t where t.institution_id = ${iid} and t.state <> 'withdrawn'`),
  ];
  return { words, fields, relatedRows };
}

// 29 February has passed on 1 March, as in ageOf: PostgreSQL counts back to 28 February there.
const dateYearsBefore = (today: string, years: number): SqlPart =>
  sql`(${today}::date - make_interval(years => ${years}::int))::date`;

const dateConditions = (column: SqlPart, from: string | undefined, to: string | undefined, zone: string): SqlPart[] => [
  ...(from ? [sql`${column} >= ${startOfDay(zone, from)}`] : []),
  ...(to ? [sql`${column} < ${startOfDay(zone, to, 1)}`] : []),
];

const relatedRowsFilter = (wanted: RelatedRows["wanted"] | undefined, rows: SqlPart): RelatedRows[] =>
  wanted === undefined ? [] : [{ wanted, rows }];

interface Sorting {
  column: SqlPart;
  type: SqlPart;
  way: SqlPart;
  /** The operator by which a later row compares with this one. */
  beyond: SqlPart;
}
export function buildSorting({ sort, way = defaultDirection[sort] }: Pick<PatientFilter, "sort" | "way">): Sorting {
  const { column, type, rises } = sortColumns[sort];
  const isRising = (way === "up") === rises;
  return { column, type, way: isRising ? sql`asc` : sql`desc`, beyond: isRising ? sql`>` : sql`<` };
}

/** `rises`: upwards is from the smallest value; the youngest was born last. */
const sortColumns: Record<PatientSort, { column: SqlPart; type: SqlPart; rises: boolean }> = {
  recentVisitAt: { column: sql`recent_visit_at`, type: sql`timestamptz`, rises: true },
  createdAt: { column: sql`created_at`, type: sql`timestamptz`, rises: true },
  name: { column: sql`sort_name`, type: sql`text`, rises: true },
  age: { column: sql`born`, type: sql`date`, rises: false },
};
