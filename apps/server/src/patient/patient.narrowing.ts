import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { usualWay } from "@arcada/contract/patient/patient.calls";
import type { PatientFilter, PatientSort } from "@arcada/contract/patient/patient.calls";
import { searchTerms } from "../platform/text/search-terms.ts";
import { dayBegins } from "../domain/institution-time-zone.ts";

export type Part = RawBuilder<unknown>;

/** The institution whose patients are read, the time zone in which its days begin, and the current day there. */
export interface House {
  iid: string;
  timeZone: string;
  today: string;
}

/** Conditions on rows `p` of `patient_living`: of the words that were typed and of its own fields; and what it shall have. */
export interface Narrowing {
  words: Part[];
  fields: Part[];
  things: Thing[];
}
/** Rows `t` of which a patient has one at least, or none. */
export interface Thing {
  wish: "yes" | "no";
  rows: Part;
}
export const havingIt = ({ wish, rows }: Thing, patientId: Part): Part => {
  const found = sql`exists (select from ${rows} and t.patient_id = ${patientId})`;
  return wish === "yes" ? found : sql`not ${found}`;
};
export function narrowing({ iid, timeZone, today }: House, filter: PatientFilter): Narrowing {
  const { search, sex, ageFrom, ageTo, createdFrom, createdTo, visitFrom, visitTo, ct, report } = filter;
  const { grams, patterns } = searchTerms(search ?? "");
  const words = [
    ...(grams.length > 0 ? [sql`p.grams @> ${grams}::text[]`] : []),
    ...patterns.map((pattern) => sql`p.haystack like ${pattern}`),
  ];
  const fields = [
    ...(sex ? [sql`p.sex = ${sex}`] : []),
    ...(ageFrom === undefined ? [] : [sql`p.born <= ${yearsBefore(today, ageFrom)}`]),
    ...(ageTo === undefined ? [] : [sql`p.born > ${yearsBefore(today, ageTo + 1)}`]),
    ...daysOf(sql`p.created_at`, createdFrom, createdTo, timeZone),
    ...daysOf(sql`p.last_visit_at`, visitFrom, visitTo, timeZone),
  ];
  const things = [
    ...wished(ct, sql`patient_with_ct t where t.institution_id = ${iid}`),
    ...wished(report, sql`report t where t.institution_id = ${iid} and t.state <> 'withdrawn'`),
  ];
  return { words, fields, things };
}

// 29 February has passed on 1 March, as in ageOf: PostgreSQL counts back to 28 February there.
const yearsBefore = (today: string, years: number): Part =>
  sql`(${today}::date - make_interval(years => ${years}::int))::date`;

const daysOf = (column: Part, from: string | undefined, to: string | undefined, zone: string): Part[] => [
  ...(from ? [sql`${column} >= ${dayBegins(zone, from)}`] : []),
  ...(to ? [sql`${column} < ${dayBegins(zone, to, 1)}`] : []),
];

const wished = (wish: Thing["wish"] | undefined, rows: Part): Thing[] => (wish === undefined ? [] : [{ wish, rows }]);

interface Sorting {
  column: Part;
  type: Part;
  way: Part;
  /** The operator by which a later row compares with this one. */
  beyond: Part;
}
export function sorting({ sort, way = usualWay[sort] }: Pick<PatientFilter, "sort" | "way">): Sorting {
  const { column, type, rises } = columns[sort];
  const isRising = (way === "up") === rises;
  return { column, type, way: isRising ? sql`asc` : sql`desc`, beyond: isRising ? sql`>` : sql`<` };
}

/** `rises`: upwards is from the smallest value; the youngest was born last. */
const columns: Record<PatientSort, { column: Part; type: Part; rises: boolean }> = {
  recentVisitAt: { column: sql`recent_visit_at`, type: sql`timestamptz`, rises: true },
  createdAt: { column: sql`created_at`, type: sql`timestamptz`, rises: true },
  name: { column: sql`sort_name`, type: sql`text`, rises: true },
  age: { column: sql`born`, type: sql`date`, rises: false },
};
