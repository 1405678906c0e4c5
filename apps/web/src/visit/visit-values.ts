import dayjs from "dayjs";
import type { Input } from "@arcada/contract/kernel/call";
import { visitParts, type Visit, type VisitContent, type visitCalls } from "@arcada/contract/visit/visit.calls";

/** What the form of a visit holds. */
export interface VisitValues {
  /** The reader's wall clock. */
  at: string;
  dentistId: string;
  content: VisitContent;
  uploads: { id: string; name: string }[];
  keep: string[];
}

export const emptyVisit = (dentistId: string): VisitValues => ({
  at: dayjs().format(wallClock),
  dentistId,
  content: { complaint: "", illness: "", findings: "", diagnosis: "", treatment: "", advice: "", marks: [] },
  uploads: [],
  keep: [],
});
const wallClock = "YYYY-MM-DDTHH:mm";

export const valuesOf = ({ at, dentist, content, files }: Visit): VisitValues => ({
  content,
  at: dayjs(at).format(wallClock),
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
  const when = dayjs(at);
  return {
    at: when.isValid() ? when.toISOString() : "",
    dentistId,
    content,
    uploads: uploads.map(({ id }) => id),
  };
}

/** The parts in which two records of one visit say something different. */
export const differences = (one: VisitContent, other: VisitContent): string[] => [
  ...visitParts.filter((part) => one[part] !== other[part]),
  ...(JSON.stringify(one.marks) === JSON.stringify(other.marks) ? [] : ["marks"]),
];
