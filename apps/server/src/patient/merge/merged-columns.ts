import { oralHabits } from "@arcada/contract/patient/patient-field-definition";
import { columnsOf, fieldsOfMerge, mergeFields, mergeRuleOf } from "@arcada/contract/patient/patient-fields";
import type { MergeField } from "@arcada/contract/patient/patient-fields";
import type { MergeChoice } from "@arcada/contract/patient/patient-merge.calls";
import { patientForm } from "@arcada/contract/patient/patient.calls";
import { refuse } from "../../platform/http/refuse.ts";
import type { FieldColumn, PatientColumns } from "../patient-column-mapping.ts";

export type MergeChoices = Partial<Record<MergeField, MergeChoice>>;
type ColumnValue = PatientColumns[FieldColumn];

/**
 * Returns the columns of the merged record. Without a choice, a field is the kept record's, or the other's if that one
 * is more complete.
 */
export function mergedColumns(kept: PatientColumns, other: PatientColumns, choices: MergeChoices): PatientColumns {
  const merged: PatientColumns = { ...kept };
  const copyColumn = <C extends FieldColumn>(column: C, from: PatientColumns): void =>
    void (merged[column] = from[column]);
  for (const field of mergeFields) {
    const columns = fieldColumns(field);
    const choice = choices[field] ?? defaultChoice(field, kept, other);
    if (choice === "both")
      Object.assign(merged, { [columns[0]!]: joinValues(field, kept[columns[0]!], other[columns[0]!]) });
    else for (const column of columns) copyColumn(column, choice === "kept" ? kept : other);
  }
  return merged;
}

const fieldColumns = (field: MergeField): readonly FieldColumn[] => fieldsOfMerge(field).flatMap(columnsOf);

function defaultChoice(field: MergeField, kept: PatientColumns, other: PatientColumns): MergeChoice {
  const rule = mergeRuleOf(field);
  if (rule === "join") return "both";
  const [one, two] = [kept, other].map((record) => fieldColumns(field).map((column) => record[column]));
  return one!.every(isEmpty) || (rule === "yesWins" && two!.includes(true)) ? "other" : "kept";
}
const isEmpty = (value: ColumnValue): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

function joinValues(field: MergeField, kept: ColumnValue, other: ColumnValue): ColumnValue {
  if (field === "birth" || mergeRuleOf(field) !== "join")
    return refuse("badInput", { [`choices.${field}`]: "invalid" });
  if (field === "habits") return oralHabits.filter((habit) => [kept, other].flat().includes(habit));
  const texts = [...new Set([kept, other].filter((text) => typeof text === "string" && text !== ""))];
  const value = texts.length > 0 ? texts.join("\n") : null;
  const read = patientForm.shape[field].safeParse(value);
  const [issue] = read.error?.issues ?? [];
  if (issue) return refuse("badInput", { [field]: issue.code === "too_big" ? `tooLong|${issue.maximum}` : "invalid" });
  return value;
}

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
