import { oralHabits } from "@arcada/contract/patient/patient.calls";
import type { Patient, patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Input } from "@arcada/contract/kernel/call";
import type { Sex } from "./use-patients.ts";

export type OralHabit = (typeof oralHabits)[number];
export const answers = ["unknown", "yes", "no"] as const;
type AnswerGiven = (typeof answers)[number];

/** Single-line texts of the form, by group. */
export const lines = {
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
export const longTexts = ["allergies", "pastHistory", "familyGenetics"] as const;
export const conditions = ["diabetes", "hypertension"] as const;

export type Line = (typeof lines)[keyof typeof lines][number];
type LongText = (typeof longTexts)[number] | "remark";
type Condition = (typeof conditions)[number];

/** The values of the patient form: text as typed, "" for none. */
export interface PatientValues extends Record<Line | LongText, string>, Record<Condition, AnswerGiven> {
  name: string;
  sex: Sex | "";
  birthDate: string;
  age: string;
  habits: OralHabit[];
  evenIfDuplicate: boolean;
}

const texts = [...lines.contact, ...lines.papers, ...longTexts, "remark"] as const;

export function valuesOf(patient: Patient | null): PatientValues {
  const text = Object.fromEntries(texts.map((field) => [field, patient?.[field] ?? ""])) as Record<
    Line | LongText,
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
    diabetes: answerOf(patient?.diabetes),
    hypertension: answerOf(patient?.hypertension),
    habits: patient?.habits ?? [],
    evenIfDuplicate: false,
  };
}

/** Returns the call's input. Empty text becomes null, so that a cleared field is cleared in the record. */
export function inputOf(values: PatientValues): Input<typeof patientCalls.create> {
  const text = Object.fromEntries(texts.map((field) => [field, values[field].trim() || null]));
  return {
    ...text,
    name: values.name,
    sex: values.sex as Sex,
    birthDate: values.birthDate || null,
    age: values.birthDate || !values.age.trim() ? null : Number(values.age),
    diabetes: flagOf(values.diabetes),
    hypertension: flagOf(values.hypertension),
    habits: values.habits,
    ...(values.evenIfDuplicate && { evenIfDuplicate: true }),
  };
}

const answerOf = (flag: boolean | null | undefined): AnswerGiven =>
  flag === true ? "yes" : flag === false ? "no" : "unknown";
const flagOf = (answer: AnswerGiven): boolean | null => (answer === "unknown" ? null : answer === "yes");

/** Merges the fields that were changed here into the current record. */
export function merged(before: PatientValues, mine: PatientValues, now: PatientValues): PatientValues {
  const changed = differences(before, mine).map((field) => [field, mine[field]] as const);
  return { ...now, ...Object.fromEntries(changed) };
}

/** The fields in which two states of a record differ. */
export function differences(one: PatientValues, other: PatientValues): (keyof PatientValues)[] {
  return (Object.keys(one) as (keyof PatientValues)[]).filter((field) => String(one[field]) !== String(other[field]));
}
