import type { OralHabit } from "@arcada/contract/patient/patient-field-definition";
import { patientFields } from "@arcada/contract/patient/patient-fields";
import type { DetailControl, PatientFieldName } from "@arcada/contract/patient/patient-fields";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { formatDateTime, formatDay, formatList } from "../i18n/format.ts";
import type { Translate } from "../i18n/texts.ts";
import { formatAge } from "./patient-age.tsx";

/** Returns the text of a record's field as the user reads it; empty if the record has no value. */
export function formatField(t: Translate, patient: Patient, field: PatientFieldName): string {
  if (field === "sex") return t(`common.sex.${patient.sex}`);
  if (field === "birthDate") return patient.birthDate ? formatDay(patient.birthDate) : "";
  if (field === "age") return formatAge(t, patient);
  const { control } = patientFields[field];
  const value = patient[field];
  return value === null ? "" : control === "basic" ? String(value) : formats[control](t, value);
}

type Format = (t: Translate, value: string | boolean | readonly string[]) => string;
const plainText: Format = (_t, value) => String(value);
const formats: Record<DetailControl, Format> = {
  line: plainText,
  paragraph: plainText,
  notes: plainText,
  dateTime: (_t, value) => (value === "" ? "" : formatDateTime(String(value))),
  answer: (t, value) => t(`patient.answer.${value === true ? "yes" : "no"}`),
  habits: (t, value) => formatList([value].flat().map((habit) => t(`patient.habit.${habit as OralHabit}`))),
};
