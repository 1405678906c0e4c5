import { oralHabits } from "@arcada/contract/patient/patient.calls";
import type { Patient, patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Input } from "@arcada/contract/kernel/call";
import type { Sex } from "./use-patients.ts";

export type OralHabit = (typeof oralHabits)[number];
export const answers = ["unknown", "yes", "no"] as const;
type ConditionAnswer = (typeof answers)[number];

/** Single-line texts of the form, by group. */
export const lineFields = {
  contact: ["phone", "fixedLine", "email", "mailAddress"],
  papers: [
    "entryNumber",
    "idNumber",
    "passport",
    "drivingLicence",
    "insuranceNumber",
    "certificateNumber",
    "inspectionNumber",
    "inspectedAt",
  ],
} as const;
export const longTextFields = ["allergies", "pastHistory", "familyGenetics"] as const;
export const conditions = ["diabetes", "hypertension"] as const;

export type TextLineField = (typeof lineFields)[keyof typeof lineFields][number];
type LongTextField = (typeof longTextFields)[number] | "remark";
type Condition = (typeof conditions)[number];

/** The values of the patient form: text as typed, "" for none. */
export interface PatientValues
  extends Record<TextLineField | LongTextField, string>, Record<Condition, ConditionAnswer> {
  name: string;
  sex: Sex | "";
  birthDate: string;
  age: string;
  habits: OralHabit[];
  evenIfDuplicate: boolean;
}

const textFields = [...lineFields.contact, ...lineFields.papers, ...longTextFields, "remark"] as const;

export function toValues(patient: Patient | null): PatientValues {
  const text = Object.fromEntries(textFields.map((field) => [field, patient?.[field] ?? ""])) as Record<
    TextLineField | LongTextField,
    string
  >;
  return {
    ...text,
    // As the field expects it: to the minute.
    inspectedAt: text.inspectedAt.slice(0, 16),
    name: patient?.name ?? "",
    sex: patient?.sex ?? "",
    birthDate: patient?.birthDate ?? "",
    age: patient && !patient.birthDate && patient.age !== null ? String(patient.age) : "",
    diabetes: toAnswer(patient?.diabetes),
    hypertension: toAnswer(patient?.hypertension),
    habits: patient?.habits ?? [],
    evenIfDuplicate: false,
  };
}

/** Returns the call's input. Empty text becomes null, so that a cleared field is cleared in the record. */
export function toInput(values: PatientValues): Input<typeof patientCalls.create> {
  const text = Object.fromEntries(textFields.map((field) => [field, values[field].trim() || null]));
  return {
    ...text,
    name: values.name,
    sex: values.sex as Sex,
    birthDate: values.birthDate || null,
    age: values.birthDate || !values.age.trim() ? null : Number(values.age),
    diabetes: toFlag(values.diabetes),
    hypertension: toFlag(values.hypertension),
    habits: values.habits,
    ...(values.evenIfDuplicate && { evenIfDuplicate: true }),
  };
}

const toAnswer = (flag: boolean | null | undefined): ConditionAnswer =>
  flag === true ? "yes" : flag === false ? "no" : "unknown";
const toFlag = (answer: ConditionAnswer): boolean | null => (answer === "unknown" ? null : answer === "yes");

/** Merges the fields that were changed here into the current record. */
export function mergeValues(before: PatientValues, mine: PatientValues, now: PatientValues): PatientValues {
  const changed = findDifferences(before, mine).map((field) => [field, mine[field]] as const);
  return { ...now, ...Object.fromEntries(changed) };
}

/** The fields in which two states of a record differ. */
export function findDifferences(one: PatientValues, other: PatientValues): (keyof PatientValues)[] {
  return (Object.keys(one) as (keyof PatientValues)[]).filter((field) => String(one[field]) !== String(other[field]));
}
