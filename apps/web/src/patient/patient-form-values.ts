import { detailFields, fieldsInOrder, patientFields } from "@arcada/contract/patient/patient-fields";
import type { FieldGroup, OralHabit } from "@arcada/contract/patient/patient-field-definition";
import type { DetailControl, DetailField, DetailWith } from "@arcada/contract/patient/patient-fields";
import type { Patient, patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Input } from "@arcada/contract/kernel/call";
import type { Sex } from "./use-filtered-patients.ts";

export const answers = ["unknown", "yes", "no"] as const;
type ConditionAnswer = (typeof answers)[number];

interface ControlValues extends Record<Exclude<DetailControl, "answer" | "habits">, string> {
  answer: ConditionAnswer;
  habits: OralHabit[];
}
type DetailValues = { [C in DetailControl as DetailWith<C>]: ControlValues[C] };

/** The values of the patient form: text as typed, "" for none. */
export interface PatientValues extends DetailValues {
  name: string;
  sex: Sex | "";
  birthDate: string;
  age: string;
  evenIfDuplicate: boolean;
}

/** Within a group, short controls come first and the notes last. */
const controlOrder: Record<DetailControl, number> = {
  line: 0,
  dateTime: 1,
  paragraph: 2,
  answer: 3,
  habits: 4,
  notes: 5,
};
/** The fields of a group in the order of the form and the record. */
export const detailsOfGroup = (group: Exclude<FieldGroup, "basics">): readonly DetailField[] =>
  fieldsInOrder
    .filter((field): field is DetailField => patientFields[field].group === group)
    .toSorted((one, other) => controlOrder[patientFields[one].control] - controlOrder[patientFields[other].control]);

export function toValues(patient: Patient | null): PatientValues {
  const details = detailFields.map((field) => {
    const { toValue } = conversions[patientFields[field].control];
    return [field, toValue(patient?.[field] ?? null)];
  });
  return {
    ...(Object.fromEntries(details) as DetailValues),
    name: patient?.name ?? "",
    sex: patient?.sex ?? "",
    birthDate: patient?.birthDate ?? "",
    age: patient && !patient.birthDate && patient.age !== null ? String(patient.age) : "",
    evenIfDuplicate: false,
  };
}

/** Returns the call's input. Empty text becomes null, so that a cleared field is cleared in the record. */
export function toInput(values: PatientValues): Input<typeof patientCalls.create> {
  const details = detailFields.map((field) => {
    const { toStored } = conversions[patientFields[field].control];
    return [field, toStored(values[field])];
  });
  return {
    ...(Object.fromEntries(details) as Pick<Patient, DetailField>),
    name: values.name,
    sex: values.sex as Sex,
    birthDate: values.birthDate || null,
    age: values.birthDate || !values.age.trim() ? null : Number(values.age),
    ...(values.evenIfDuplicate && { evenIfDuplicate: true }),
  };
}

type Stored = Patient[DetailField];
type Value = PatientValues[DetailField];
interface Conversion {
  toValue: (stored: Stored) => Value;
  toStored: (value: Value) => Stored;
}
const plainText: Conversion = {
  toValue: (stored) => (stored === null ? "" : String(stored)),
  toStored: (value) => String(value).trim() || null,
};
const conversions: Record<DetailControl, Conversion> = {
  line: plainText,
  paragraph: plainText,
  notes: plainText,
  // As the field expects it: to the minute.
  dateTime: { ...plainText, toValue: (stored) => (stored === null ? "" : String(stored).slice(0, 16)) },
  answer: {
    toValue: (flag) => (flag === true ? "yes" : flag === false ? "no" : "unknown"),
    toStored: (answer) => (answer === "unknown" ? null : answer === "yes"),
  },
  habits: {
    toValue: (habits) => (Array.isArray(habits) ? habits : []),
    toStored: (habits) => (Array.isArray(habits) ? habits : []),
  },
};

/** Merges the fields that were changed here into the current record. */
export function mergeValues(before: PatientValues, mine: PatientValues, now: PatientValues): PatientValues {
  const changed = findDifferences(before, mine).map((field) => [field, mine[field]] as const);
  return { ...now, ...Object.fromEntries(changed) };
}

/** The fields in which two states of a record differ. */
export function findDifferences(one: PatientValues, other: PatientValues): (keyof PatientValues)[] {
  return (Object.keys(one) as (keyof PatientValues)[]).filter((field) => String(one[field]) !== String(other[field]));
}
