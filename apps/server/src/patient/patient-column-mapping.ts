import type { Selectable } from "kysely";
import type { z } from "zod";
import { localDayIn, yearsBetween } from "@arcada/contract/kernel/time-zone";
import { patientRules } from "@arcada/contract/patient/patient.calls";
import type { BinnedPatient, Patient, PatientRow, patientForm } from "@arcada/contract/patient/patient.calls";
import {
  basicFields,
  columnOf,
  columnsOf,
  detailFields,
  emptyColumns,
  fieldsWithUse,
} from "@arcada/contract/patient/patient-fields";
import type {
  BasicField,
  ColumnOf,
  DetailField,
  FieldWithUse,
  PatientFieldName,
} from "@arcada/contract/patient/patient-fields";
import type { PatientTable } from "../tables/schema.generated.ts";
import type { MemberContext } from "../platform/http/request-context.ts";
import { searchColumns } from "../platform/text/search-terms.ts";
import type { PatientScope } from "./patient.filters.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

type Form = z.output<typeof patientForm>;
type StoredPatient = Selectable<PatientTable>;
export type FieldColumn = ColumnOf<PatientFieldName>;
/** The columns that a form writes. A field whose column is not in the database does not compile here. */
export type PatientColumns = Pick<StoredPatient, FieldColumn>;

/** Returns the columns of a form; fields that the form leaves out keep the stored value. */
export function toPatientColumns(form: Form, before: Partial<PatientColumns> | null, today: string): PatientColumns {
  return {
    name: form.name.replace(/\s+/g, " "),
    sex: form.sex,
    ...birthColumns(form, before, today),
    ...detailColumns(form, before),
  };
}

type DetailColumns = { [F in DetailField as ColumnOf<F>]: Exclude<Form[F], undefined> };
const detailColumns = (form: Form, before: Partial<PatientColumns> | null): DetailColumns =>
  Object.fromEntries(
    detailFields.map((field) => {
      const column = columnOf(field);
      const given = form[field] === undefined ? before?.[column] : form[field];
      return [column, given === undefined || given === "" ? emptyColumns[column] : given];
    }),
  ) as DetailColumns;

type Birth = Pick<PatientColumns, "birth_date" | "age_given" | "age_given_on">;

/**
 * A birth date takes precedence over an age. An age that equals the record's current age keeps its original reference
 * date.
 */
function birthColumns(form: Form, before: Partial<PatientColumns> | null, today: string): Birth {
  if (form.birthDate) return { birth_date: form.birthDate, age_given: null, age_given_on: null };
  const unchanged = before?.age_given_on && !before.birth_date && calculateAge(before as Birth, today) === form.age;
  if (unchanged)
    return { birth_date: null, age_given: before.age_given ?? null, age_given_on: before.age_given_on ?? null };
  return { birth_date: null, age_given: form.age ?? null, age_given_on: today };
}

/** Full years, from the birth date or from an age that was given on a day. */
export function calculateAge({ birth_date, age_given, age_given_on }: Birth, today: string): number | null {
  if (birth_date) return Math.max(0, yearsBetween(birth_date, today));
  return age_given === null || age_given_on === null
    ? null
    : Math.min(patientRules.maxAge, age_given + yearsBetween(age_given_on, today));
}

const toDetails = <F extends DetailField>(row: Pick<PatientColumns, ColumnOf<F>>, fields: readonly F[]) =>
  Object.fromEntries(fields.map((field) => [field, row[columnOf(field)]])) as { [K in F]: PatientColumns[ColumnOf<K>] };

/** The columns of the fields in the rows of lists. */
export const listedColumns = fieldsWithUse("list").flatMap((field) => columnsOf(field));
const isDetail = <F extends PatientFieldName>(field: F): field is F & DetailField =>
  detailFields.some((one) => one === field);
const listedDetails = fieldsWithUse("list").filter(isDetail);

export type RowColumns = Pick<StoredPatient, "id" | "number" | ColumnOf<FieldWithUse<"list">>> & {
  created_at: string;
  last_visit_at: string | null;
  studies: number;
  orders: number;
};

export const toPatientRow = (row: RowColumns, today: string): PatientRow => ({
  ...toIdentity(row, today),
  ...toDetails(row, listedDetails),
  createdAt: row.created_at,
  recentVisitAt: row.last_visit_at,
  studies: row.studies,
  orders: row.orders,
});

type IdentityColumns = Pick<StoredPatient, "id" | "number" | ColumnOf<BasicField>>;
export const identityColumns = ["id", "number", ...basicFields.flatMap((field) => columnsOf(field))] as const;
export const toIdentity = (row: IdentityColumns, today: string) => ({
  ...pickColumns(row, "id", "number", "name", "sex", "birth_date"),
  age: calculateAge(row, today),
});

export type BinnedColumns = IdentityColumns & { deleted_at: string; days_left: number };
export const toBinnedPatient = (row: BinnedColumns, today: string): BinnedPatient => ({
  ...toIdentity(row, today),
  removedAt: row.deleted_at,
  daysLeft: row.days_left,
});

export type RecordColumns = RowColumns &
  PatientColumns & { version: number; creator: string | null; recent_visit_at: string };

export const toPatient = (row: RecordColumns, today: string): Patient => ({
  ...toPatientRow(row, today),
  ...toDetails(row, detailFields),
  createdBy: row.creator ?? "",
  version: row.version,
});

const searchedNumbers = fieldsWithUse("search").filter(isDetail).map(columnOf);
/** The search columns of a record, which are written together with it. */
export const patientSearchColumns = (row: PatientColumns & { number: string }) =>
  searchColumns({ name: row.name, numbers: [row.number, ...searchedNumbers.map((column) => row[column])] });

/** The calendar day of the institution at the time of the call. */
export const currentDay = ({ principal, now }: Pick<MemberContext, "principal" | "now">): string =>
  localDayIn(principal.timeZone, now);
export const toPatientScope = (context: Pick<MemberContext, "principal" | "now">): PatientScope => ({
  iid: context.principal.iid,
  timeZone: context.principal.timeZone,
  today: currentDay(context),
});
/** Eight characters that can be read out on the telephone. */
export const formatPatientNumber = (count: number): string => `P${String(count).padStart(7, "0")}`;
