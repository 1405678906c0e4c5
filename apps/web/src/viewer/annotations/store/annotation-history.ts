import type { Annotation } from "@arcada/contract/study/annotation";

/** The annotations of a study with their undo and redo states. */
export interface AnnotationHistory {
  annotations: readonly Annotation[];
  past: readonly (readonly Annotation[])[];
  future: readonly (readonly Annotation[])[];
}

export type AnnotationChange =
  | { type: "load"; annotations: readonly Annotation[] }
  | { type: "put"; annotation: Annotation }
  | { type: "amend"; annotation: Annotation }
  | { type: "replace"; annotations: readonly Annotation[] }
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
      const amended = (each: readonly Annotation[]) => withAnnotation(each, change.annotation);
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

const pushState = ({ annotations, past }: AnnotationHistory, next: readonly Annotation[]): AnnotationHistory => ({
  annotations: next,
  past: [...past.slice(1 - maxUndoSteps), annotations],
  future: [],
});

const withAnnotation = (annotations: readonly Annotation[], annotation: Annotation): Annotation[] =>
  annotations.some(({ id }) => id === annotation.id)
    ? annotations.map((other) => (other.id === annotation.id ? annotation : other))
    : [...annotations, annotation];
