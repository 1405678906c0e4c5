import type { z } from "zod";
import { localDayIn, yearsBetween } from "@arcada/contract/kernel/time-zone";
import { patientRules } from "@arcada/contract/patient/patient.calls";
import type { BinnedPatient, Patient, PatientRow, patientForm } from "@arcada/contract/patient/patient.calls";
import type { PatientTable } from "../tables/schema.generated.ts";
import type { MemberContext } from "../platform/http/request-context.ts";
import type { PatientScope } from "./patient.filters.ts";

type Form = z.output<typeof patientForm>;
type WritableColumns = Omit<
  PatientTable,
  | "institution_id"
  | "id"
  | "number"
  | "created_by"
  | "created_at"
  | "recent_visit_at"
  | "last_visit_at"
  | "deleted_at"
  | "merged_into"
  | "version"
  | "haystack"
  | "grams"
  | "sort_name"
  | "habits"
> & { habits: string[] };
/** The columns that a form writes. */
export type PatientColumns = { [K in keyof WritableColumns]: WritableColumns[K] };

/** Returns the columns of a form; fields that the form leaves out keep the stored value. */
export function toPatientColumns(form: Form, before: Partial<PatientColumns> | null, today: string): PatientColumns {
  const keepOr = <T>(given: T | undefined, old: T | undefined, none: T): T =>
    given === undefined ? (old ?? none) : given === "" ? none : given;
  return {
    name: form.name.replace(/\s+/g, " "),
    sex: form.sex,
    ...birthColumns(form, before, today),
    phone: keepOr(form.phone, before?.phone, null),
    fixed_line: keepOr(form.fixedLine, before?.fixed_line, null),
    email: keepOr(form.email, before?.email, null),
    mail_address: keepOr(form.mailAddress, before?.mail_address, null),
    id_number: keepOr(form.idNumber, before?.id_number, null),
    passport: keepOr(form.passport, before?.passport, null),
    driving_licence: keepOr(form.drivingLicence, before?.driving_licence, null),
    insurance_number: keepOr(form.insuranceNumber, before?.insurance_number, null),
    certificate_number: keepOr(form.certificateNumber, before?.certificate_number, null),
    entry_number: keepOr(form.entryNumber, before?.entry_number, null),
    inspection_number: keepOr(form.inspectionNumber, before?.inspection_number, null),
    inspected_at: keepOr(form.inspectedAt, before?.inspected_at, null),
    allergies: keepOr(form.allergies, before?.allergies, null),
    past_history: keepOr(form.pastHistory, before?.past_history, null),
    diabetes: keepOr(form.diabetes, before?.diabetes, null),
    hypertension: keepOr(form.hypertension, before?.hypertension, null),
    family_genetics: keepOr(form.familyGenetics, before?.family_genetics, null),
    habits: keepOr<string[]>(form.habits, before?.habits, []),
    remark: keepOr(form.remark, before?.remark, null),
  };
}

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

export type RowColumns = Pick<
  PatientTable,
  "id" | "number" | "name" | "sex" | "birth_date" | "age_given" | "age_given_on" | "phone" | "entry_number"
> & {
  created_at: string;
  last_visit_at: string | null;
  studies: number;
  orders: number;
};

export const toPatientRow = (row: RowColumns, today: string): PatientRow => ({
  id: row.id,
  number: row.number,
  name: row.name,
  sex: row.sex,
  birthDate: row.birth_date,
  age: calculateAge(row, today),
  phone: row.phone,
  entryNumber: row.entry_number,
  createdAt: row.created_at,
  recentVisitAt: row.last_visit_at,
  studies: row.studies,
  orders: row.orders,
});

export type BinnedColumns = Omit<
  RowColumns,
  "phone" | "entry_number" | "created_at" | "last_visit_at" | "studies" | "orders"
> & {
  deleted_at: string;
  days_left: number;
};

export const toBinnedPatient = (row: BinnedColumns, today: string): BinnedPatient => ({
  id: row.id,
  number: row.number,
  name: row.name,
  sex: row.sex,
  birthDate: row.birth_date,
  age: calculateAge(row, today),
  removedAt: row.deleted_at,
  daysLeft: row.days_left,
});

export type RecordColumns = RowColumns &
  PatientColumns & { version: number; creator: string | null; recent_visit_at: string };

export const toPatient = (row: RecordColumns, today: string): Patient => ({
  ...toPatientRow(row, today),
  fixedLine: row.fixed_line,
  email: row.email,
  mailAddress: row.mail_address,
  idNumber: row.id_number,
  passport: row.passport,
  drivingLicence: row.driving_licence,
  insuranceNumber: row.insurance_number,
  certificateNumber: row.certificate_number,
  inspectionNumber: row.inspection_number,
  inspectedAt: row.inspected_at,
  allergies: row.allergies,
  pastHistory: row.past_history,
  diabetes: row.diabetes,
  hypertension: row.hypertension,
  familyGenetics: row.family_genetics,
  habits: row.habits as Patient["habits"],
  remark: row.remark,
  createdBy: row.creator ?? "",
  version: row.version,
});

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
