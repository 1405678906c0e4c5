import type { Input } from "@arcada/contract/kernel/call";
import { visitParts, type Visit, type VisitContent, type visitCalls } from "@arcada/contract/visit/visit.calls";
import { parseWallTime, toWallTime } from "../i18n/time-zone.ts";
import type { CallForm } from "../data/use-call-form.ts";

export type VisitCallForm = CallForm<VisitValues>;

/** The values of the visit form. */
export interface VisitValues {
  /** The wall-clock time in the institution's time zone. */
  at: string;
  dentistId: string;
  content: VisitContent;
  uploads: { id: string; name: string }[];
  keep: string[];
}

export const createEmptyVisit = (dentistId: string): VisitValues => ({
  at: toWallTime(),
  dentistId,
  content: { complaint: "", illness: "", findings: "", diagnosis: "", treatment: "", advice: "", marks: [] },
  uploads: [],
  keep: [],
});

export const toValues = ({ at, dentist, content, files }: Visit): VisitValues => ({
  content,
  at: toWallTime(at),
  dentistId: dentist.id,
  uploads: [],
  keep: files.map(({ id }) => id),
});

export function toInput({
  at,
  dentistId,
  content,
  uploads,
}: VisitValues): Omit<Input<typeof visitCalls.create>, "patientId"> {
  return {
    at: parseWallTime(at),
    dentistId,
    content,
    uploads: uploads.map(({ id }) => id),
  };
}

/** Returns the parts in which two records of one visit differ. */
export const findDifferences = (one: VisitContent, other: VisitContent): ((typeof visitParts)[number] | "marks")[] => [
  ...visitParts.filter((part) => one[part] !== other[part]),
  ...(JSON.stringify(one.marks) === JSON.stringify(other.marks) ? [] : (["marks"] as const)),
];
