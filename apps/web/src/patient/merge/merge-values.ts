import { combinableFields, mergeFields } from "@arcada/contract/patient/merge.calls";
import type { MergeChoice, MergeField } from "@arcada/contract/patient/merge.calls";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { formatDay, formatList, formatDateTime } from "../../i18n/format.ts";
import type { Translate, TextKey } from "../../i18n/texts.ts";
import { formatAge } from "../patient-age.tsx";

export type Choices = Partial<Record<MergeField, MergeChoice>>;

/** Returns the text of a record's field as the user reads it; empty if the record has no value. */
export function formatMergeField(t: Translate, patient: Patient, field: MergeField): string {
  if (field === "sex") return t(`common.sex.${patient.sex}`);
  if (field === "birth") return patient.birthDate ? formatDay(patient.birthDate) : formatAge(t, patient);
  if (field === "habits") return formatList(patient.habits.map((habit) => t(`patient.habit.${habit}`)));
  if (field === "inspectedAt") return patient.inspectedAt ? formatDateTime(patient.inspectedAt) : "";
  const value = patient[field];
  return typeof value === "boolean" ? t(`patient.answer.${value ? "yes" : "no"}`) : (value ?? "");
}

export const getMergeTitleKey = (field: MergeField): TextKey =>
  `patient.field.${field === "birth" ? "birthDate" : field}`;

/** Fields in which two records differ. */
export const findDifferingFields = (t: Translate, kept: Patient, other: Patient): MergeField[] =>
  mergeFields.filter((field) => formatMergeField(t, kept, field) !== formatMergeField(t, other, field));

const isJoinable = (field: MergeField): boolean => combinableFields.some((one) => one === field);

/** Returns the choices for a field in which two records differ. "Both" is only possible if both records have text. */
export const getChoices = (t: Translate, kept: Patient, other: Patient, field: MergeField): MergeChoice[] =>
  isJoinable(field) && formatMergeField(t, kept, field) && formatMergeField(t, other, field)
    ? ["kept", "other", "both"]
    : ["kept", "other"];

/**
 * Returns the initial choice: both texts where possible, the kept record's value if both records have one. A known
 * diabetes or hypertension of the other record takes precedence.
 */
export function getInitialChoice(t: Translate, kept: Patient, other: Patient, field: MergeField): MergeChoice {
  if (getChoices(t, kept, other, field).includes("both")) return "both";
  const hasKnownCondition = (field === "diabetes" || field === "hypertension") && other[field] === true;
  return hasKnownCondition || !formatMergeField(t, kept, field) ? "other" : "kept";
}
