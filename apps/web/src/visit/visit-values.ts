import type { Input } from "@arcada/contract/kernel/call";
import { visitParts, type Visit, type VisitContent, type visitCalls } from "@arcada/contract/visit/visit.calls";
import { instantOf, wallClock } from "../kernel/zone.ts";

/** The values of the visit form. */
export interface VisitValues {
  /** The organisation's wall clock. */
  at: string;
  dentistId: string;
  content: VisitContent;
  uploads: { id: string; name: string }[];
  keep: string[];
}

export const emptyVisit = (dentistId: string): VisitValues => ({
  at: wallClock(),
  dentistId,
  content: { complaint: "", illness: "", findings: "", diagnosis: "", treatment: "", advice: "", marks: [] },
  uploads: [],
  keep: [],
});

export const valuesOf = ({ at, dentist, content, files }: Visit): VisitValues => ({
  content,
  at: wallClock(at),
  dentistId: dentist.id,
  uploads: [],
  keep: files.map(({ id }) => id),
});

export function inputOf({
  at,
  dentistId,
  content,
  uploads,
}: VisitValues): Omit<Input<typeof visitCalls.create>, "patientId"> {
  return {
    at: instantOf(at),
    dentistId,
    content,
    uploads: uploads.map(({ id }) => id),
  };
}

/** Returns the parts in which two records of one visit differ. */
export const differences = (one: VisitContent, other: VisitContent): string[] => [
  ...visitParts.filter((part) => one[part] !== other[part]),
  ...(JSON.stringify(one.marks) === JSON.stringify(other.marks) ? [] : ["marks"]),
];
