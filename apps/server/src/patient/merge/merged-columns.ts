import { combinableFields, mergeFields } from "@arcada/contract/patient/patient-merge.calls";
import type { MergeChoice, MergeField } from "@arcada/contract/patient/patient-merge.calls";
import { oralHabits, patientForm } from "@arcada/contract/patient/patient.calls";
import { refuse } from "../../platform/http/refuse.ts";
import type { PatientColumns } from "../patient.ts";

export type MergeChoices = Partial<Record<MergeField, MergeChoice>>;
type ColumnName = keyof PatientColumns;
type ColumnValue = PatientColumns[ColumnName];

/**
 * Returns the columns of the merged record. Without a choice, a field is the kept record's, or the other's if that one
 * is more complete.
 */
export function mergedColumns(kept: PatientColumns, other: PatientColumns, choices: MergeChoices): PatientColumns {
  const merged: PatientColumns = { ...kept };
  const copyColumn = <C extends ColumnName>(column: C, from: PatientColumns): void =>
    void (merged[column] = from[column]);
  for (const field of mergeFields) {
    const columns = fieldColumns[field];
    const choice = choices[field] ?? defaultChoice(field, kept, other);
    if (choice === "both")
      Object.assign(merged, { [columns[0]!]: joinValues(field, kept[columns[0]!], other[columns[0]!]) });
    else for (const column of columns) copyColumn(column, choice === "kept" ? kept : other);
  }
  return merged;
}

const isJoinedField = (field: MergeField): field is (typeof combinableFields)[number] =>
  combinableFields.some((one) => one === field);
function defaultChoice(field: MergeField, kept: PatientColumns, other: PatientColumns): MergeChoice {
  if (isJoinedField(field)) return "both";
  const [one, two] = [kept, other].map((of) => fieldColumns[field].map((column) => of[column]));
  // A disease that one record knows of is known.
  return one!.every(isEmpty) || two!.includes(true) ? "other" : "kept";
}
const isEmpty = (value: ColumnValue): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

function joinValues(field: MergeField, kept: ColumnValue, other: ColumnValue): ColumnValue {
  if (!isJoinedField(field)) return refuse("badInput", { [`choices.${field}`]: "invalid" });
  if (field === "habits") return oralHabits.filter((habit) => [kept, other].flat().includes(habit));
  const texts = [...new Set([kept, other].filter((text) => typeof text === "string" && text !== ""))];
  const value = texts.length > 0 ? texts.join("\n") : null;
  const read = patientForm.shape[field].safeParse(value);
  const [issue] = read.error?.issues ?? [];
  if (issue) return refuse("badInput", { [field]: issue.code === "too_big" ? `tooLong|${issue.maximum}` : "invalid" });
  return value;
}

const fieldColumns: Record<MergeField, readonly ColumnName[]> = {
  name: ["name"],
  sex: ["sex"],
  birth: ["birth_date", "age_given", "age_given_on"],
  phone: ["phone"],
  fixedLine: ["fixed_line"],
  email: ["email"],
  mailAddress: ["mail_address"],
  entryNumber: ["entry_number"],
  idNumber: ["id_number"],
  passport: ["passport"],
  drivingLicence: ["driving_licence"],
  insuranceNumber: ["insurance_number"],
  certificateNumber: ["certificate_number"],
  inspectionNumber: ["inspection_number"],
  inspectedAt: ["inspected_at"],
  allergies: ["allergies"],
  pastHistory: ["past_history"],
  diabetes: ["diabetes"],
  hypertension: ["hypertension"],
  familyGenetics: ["family_genetics"],
  habits: ["habits"],
  remark: ["remark"],
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Returns the columns in which two rows differ: with the values of the one, and of the other. */
export function diffColumns<T extends object>(before: T, after: T): { before: Partial<T>; after: Partial<T> } {
  const columns = (Object.keys(after) as (keyof T)[]).filter((column) => !isSame(before[column], after[column]));
  const only = (row: T) => Object.fromEntries(columns.map((column) => [column, row[column]])) as Partial<T>;
  return { before: only(before), after: only(after) };
}

/** Returns the values to restore: only for columns that still have the value that the merge wrote. */
export const revertColumns = (
  now: object,
  { before, after }: { before: Record<string, unknown>; after: Record<string, unknown> },
): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(after)
      .filter((column) => isSame((now as Record<string, unknown>)[column], after[column]))
      .map((column) => [column, before[column]]),
  );
