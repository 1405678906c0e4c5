import { joinedFields, mergeFields } from "@arcada/contract/patient/merge.calls";
import type { MergeChoice, MergeField } from "@arcada/contract/patient/merge.calls";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { showDay, showList, showMinute } from "../kernel/format.ts";
import type { Translate } from "../kernel/texts.ts";
import { ageText } from "./patient-facts.tsx";

export type Choices = Partial<Record<MergeField, MergeChoice>>;

/** Returns the text of a record's field as the user reads it; empty if the record has no value. */
export function mergeText(t: Translate, patient: Patient, field: MergeField): string {
  if (field === "sex") return t(`common.sex.${patient.sex}`);
  if (field === "birth") return patient.birthDate ? showDay(patient.birthDate) : ageText(t, patient);
  if (field === "habits") return showList(patient.habits.map((habit) => t(`patient.habit.${habit}`)));
  if (field === "inspectedAt") return patient.inspectedAt ? showMinute(patient.inspectedAt) : "";
  const value = patient[field];
  return typeof value === "boolean" ? t(`patient.answer.${value ? "yes" : "no"}`) : (value ?? "");
}

export const mergeTitle = (field: MergeField): string => `patient.field.${field === "birth" ? "birthDate" : field}`;

/** Fields in which two records differ. */
export const unlike = (t: Translate, kept: Patient, other: Patient): MergeField[] =>
  mergeFields.filter((field) => mergeText(t, kept, field) !== mergeText(t, other, field));

const isJoined = (field: MergeField): boolean => joinedFields.some((one) => one === field);

/** Returns the choices for a field in which two records differ. "Both" is only possible if both records have text. */
export const choicesFor = (t: Translate, kept: Patient, other: Patient, field: MergeField): MergeChoice[] =>
  isJoined(field) && mergeText(t, kept, field) && mergeText(t, other, field)
    ? ["kept", "other", "both"]
    : ["kept", "other"];

/**
 * Returns the initial choice: both texts where possible, the kept record's answer where both records have one. A known
 * diabetes or hypertension of the other record takes precedence.
 */
export function firstChoice(t: Translate, kept: Patient, other: Patient, field: MergeField): MergeChoice {
  if (choicesFor(t, kept, other, field).includes("both")) return "both";
  const knowsMore = (field === "diabetes" || field === "hypertension") && other[field] === true;
  return knowsMore || !mergeText(t, kept, field) ? "other" : "kept";
}
