import type { z } from "zod";
import { dayIn, yearsBetween } from "@arcada/contract/kernel/time-zone";
import { patientRules } from "@arcada/contract/patient/patient.calls";
import type { BinnedPatient, Patient, PatientRow, patientForm } from "@arcada/contract/patient/patient.calls";
import type { PatientTable } from "../tables/patient.ts";
import type { MemberContext } from "../platform/http/request-context.ts";
import type { House } from "./patient.narrowing.ts";

type Form = z.output<typeof patientForm>;
type Written = Omit<
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
export type Stored = { [K in keyof Written]: Written[K] };

/** Returns the columns of a form; fields that the form leaves out keep the stored value. */
export function columnsOf(form: Form, before: Partial<Stored> | null, today: string): Stored {
  const kept = <T>(given: T | undefined, old: T | undefined, none: T): T =>
    given === undefined ? (old ?? none) : given === "" ? none : given;
  return {
    name: form.name.replace(/\s+/g, " "),
    sex: form.sex,
    ...birthColumns(form, before, today),
    phone: kept(form.phone, before?.phone, null),
    fixed_line: kept(form.fixedLine, before?.fixed_line, null),
    email: kept(form.email, before?.email, null),
    mail_address: kept(form.mailAddress, before?.mail_address, null),
    id_number: kept(form.idNumber, before?.id_number, null),
    passport: kept(form.passport, before?.passport, null),
    driving_licence: kept(form.drivingLicence, before?.driving_licence, null),
    insurance_number: kept(form.insuranceNumber, before?.insurance_number, null),
    certificate_number: kept(form.certificateNumber, before?.certificate_number, null),
    entry_number: kept(form.entryNumber, before?.entry_number, null),
    inspection_number: kept(form.inspectionNumber, before?.inspection_number, null),
    inspected_at: kept(form.inspectedAt, before?.inspected_at, null),
    allergies: kept(form.allergies, before?.allergies, null),
    past_history: kept(form.pastHistory, before?.past_history, null),
    diabetes: kept(form.diabetes, before?.diabetes, null),
    hypertension: kept(form.hypertension, before?.hypertension, null),
    family_genetics: kept(form.familyGenetics, before?.family_genetics, null),
    habits: kept<string[]>(form.habits, before?.habits, []),
    remark: kept(form.remark, before?.remark, null),
  };
}

type Birth = Pick<Stored, "birth_date" | "age_given" | "age_given_on">;

/**
 * A birth date takes precedence over an age. An age that equals the record's current age keeps its original reference
 * date.
 */
function birthColumns(form: Form, before: Partial<Stored> | null, today: string): Birth {
  if (form.birthDate) return { birth_date: form.birthDate, age_given: null, age_given_on: null };
  const unchanged = before?.age_given_on && !before.birth_date && ageOf(before as Birth, today) === form.age;
  if (unchanged)
    return { birth_date: null, age_given: before.age_given ?? null, age_given_on: before.age_given_on ?? null };
  return { birth_date: null, age_given: form.age ?? null, age_given_on: today };
}

/** Full years, from the birth date or from an age that was given on a day. */
export function ageOf({ birth_date, age_given, age_given_on }: Birth, today: string): number | null {
  if (birth_date) return Math.max(0, yearsBetween(birth_date, today));
  return age_given === null || age_given_on === null
    ? null
    : Math.min(patientRules.ageMost, age_given + yearsBetween(age_given_on, today));
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

export const rowOf = (row: RowColumns, today: string): PatientRow => ({
  id: row.id,
  number: row.number,
  name: row.name,
  sex: row.sex,
  birthDate: row.birth_date,
  age: ageOf(row, today),
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

export const binnedOf = (row: BinnedColumns, today: string): BinnedPatient => ({
  id: row.id,
  number: row.number,
  name: row.name,
  sex: row.sex,
  birthDate: row.birth_date,
  age: ageOf(row, today),
  removedAt: row.deleted_at,
  daysLeft: row.days_left,
});

export type RecordColumns = RowColumns & Stored & { version: number; creator: string | null; recent_visit_at: string };

export const patientOf = (row: RecordColumns, today: string): Patient => ({
  ...rowOf(row, today),
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
export const todayOf = ({ asker, now }: Pick<MemberContext, "asker" | "now">): string => dayIn(asker.timeZone, now);
export const houseOf = (context: Pick<MemberContext, "asker" | "now">): House => ({
  iid: context.asker.iid,
  timeZone: context.asker.timeZone,
  today: todayOf(context),
});
/** Eight characters that can be read out on the telephone. */
export const numberOf = (count: number): string => `P${String(count).padStart(7, "0")}`;
