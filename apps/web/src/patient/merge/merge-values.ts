import { fieldsOfMerge, mergeFields, mergeRuleOf } from "@arcada/contract/patient/patient-fields";
import type { MergeField } from "@arcada/contract/patient/patient-fields";
import type { MergeChoice } from "@arcada/contract/patient/merge.calls";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import type { Translate } from "../../i18n/texts.ts";
import { formatField } from "../format-field.ts";

export type Choices = Partial<Record<MergeField, MergeChoice>>;

/** Returns the text of the first field of a choice that has one: the birth date, else the age. */
export const formatMergeField = (t: Translate, patient: Patient, choice: MergeField): string =>
  fieldsOfMerge(choice)
    .map((field) => formatField(t, patient, field))
    .find((text) => text !== "") ?? "";

export const getMergeTitleKey = (choice: MergeField): string => `patient.field.${fieldsOfMerge(choice)[0]}`;

/** Fields in which two records differ. */
export const findDifferingFields = (t: Translate, kept: Patient, other: Patient): MergeField[] =>
  mergeFields.filter((field) => formatMergeField(t, kept, field) !== formatMergeField(t, other, field));

/** Returns the choices for a field in which two records differ. "Both" is only possible if both records have text. */
export const getChoices = (t: Translate, kept: Patient, other: Patient, field: MergeField): MergeChoice[] =>
  mergeRuleOf(field) === "join" && formatMergeField(t, kept, field) && formatMergeField(t, other, field)
    ? ["kept", "other", "both"]
    : ["kept", "other"];

/**
 * Returns the initial choice: both texts where possible, the kept record's value if both records have one. A known
 * disease of the other record takes precedence.
 */
export function getInitialChoice(t: Translate, kept: Patient, other: Patient, field: MergeField): MergeChoice {
  if (getChoices(t, kept, other, field).includes("both")) return "both";
  const hasKnownCondition = mergeRuleOf(field) === "yesWins" && fieldsOfMerge(field).some((one) => other[one] === true);
  return hasKnownCondition || !formatMergeField(t, kept, field) ? "other" : "kept";
}
