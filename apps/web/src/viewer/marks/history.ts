import type { Mark } from "@arcada/contract/study/mark";

/** The annotations of a study with their undo and redo states. */
export interface MarkHistory {
  marks: readonly Mark[];
  past: readonly (readonly Mark[])[];
  future: readonly (readonly Mark[])[];
}

export type MarkChange =
  | { type: "load"; marks: readonly Mark[] }
  | { type: "put"; mark: Mark }
  | { type: "amend"; mark: Mark }
  | { type: "replace"; marks: readonly Mark[] }
  | { type: "remove"; ids: readonly string[] }
  | { type: "undo" }
  | { type: "redo" };

export const noMarks: MarkHistory = { marks: [], past: [], future: [] };

export function changeMarks(history: MarkHistory, change: MarkChange): MarkHistory {
  const { marks, past, future } = history;
  switch (change.type) {
    case "load":
      return { marks: change.marks, past: [], future: [] };
    case "put":
      return stepped(history, withMark(marks, change.mark));
    case "amend": {
      const amended = (each: readonly Mark[]) => withMark(each, change.mark);
      return { marks: amended(marks), past: past.map(amended), future: future.map(amended) };
    }
    case "replace":
      return stepped(history, change.marks);
    case "remove":
      return stepped(
        history,
        marks.filter(({ id }) => !change.ids.includes(id)),
      );
    case "undo": {
      const before = past.at(-1);
      return before ? { marks: before, past: past.slice(0, -1), future: [marks, ...future] } : history;
    }
    case "redo": {
      const [after, ...rest] = future;
      return after ? { marks: after, past: [...past, marks], future: rest } : history;
    }
  }
}

const steps = 100;

const stepped = ({ marks, past }: MarkHistory, next: readonly Mark[]): MarkHistory => ({
  marks: next,
  past: [...past.slice(1 - steps), marks],
  future: [],
});

const withMark = (marks: readonly Mark[], mark: Mark): Mark[] =>
  marks.some(({ id }) => id === mark.id)
    ? marks.map((other) => (other.id === mark.id ? mark : other))
    : [...marks, mark];
