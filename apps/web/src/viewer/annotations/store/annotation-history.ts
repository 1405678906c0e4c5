import type { Mark } from "@arcada/contract/study/mark";

/** The annotations of a study with their undo and redo states. */
export interface AnnotationHistory {
  annotations: readonly Mark[];
  past: readonly (readonly Mark[])[];
  future: readonly (readonly Mark[])[];
}

export type AnnotationChange =
  | { type: "load"; annotations: readonly Mark[] }
  | { type: "put"; annotation: Mark }
  | { type: "amend"; annotation: Mark }
  | { type: "replace"; annotations: readonly Mark[] }
  | { type: "remove"; ids: readonly string[] }
  | { type: "undo" }
  | { type: "redo" };

export const noAnnotations: AnnotationHistory = { annotations: [], past: [], future: [] };

export function changeAnnotations(history: AnnotationHistory, change: AnnotationChange): AnnotationHistory {
  const { annotations, past, future } = history;
  switch (change.type) {
    case "load":
      return { annotations: change.annotations, past: [], future: [] };
    case "put":
      return pushState(history, withAnnotation(annotations, change.annotation));
    case "amend": {
      const amended = (each: readonly Mark[]) => withAnnotation(each, change.annotation);
      return { annotations: amended(annotations), past: past.map(amended), future: future.map(amended) };
    }
    case "replace":
      return pushState(history, change.annotations);
    case "remove":
      return pushState(
        history,
        annotations.filter(({ id }) => !change.ids.includes(id)),
      );
    case "undo": {
      const before = past.at(-1);
      return before ? { annotations: before, past: past.slice(0, -1), future: [annotations, ...future] } : history;
    }
    case "redo": {
      const [after, ...rest] = future;
      return after ? { annotations: after, past: [...past, annotations], future: rest } : history;
    }
  }
}

const maxUndoSteps = 100;

const pushState = ({ annotations, past }: AnnotationHistory, next: readonly Mark[]): AnnotationHistory => ({
  annotations: next,
  past: [...past.slice(1 - maxUndoSteps), annotations],
  future: [],
});

const withAnnotation = (annotations: readonly Mark[], annotation: Mark): Mark[] =>
  annotations.some(({ id }) => id === annotation.id)
    ? annotations.map((other) => (other.id === annotation.id ? annotation : other))
    : [...annotations, annotation];
