import { useCallback, useEffect, useReducer, useRef } from "react";
import type { AnnotationStore } from "./use-annotations.ts";

/**
 * One undoable step. Annotations keep their own previous states; for display settings the state before the step is
 * stored here.
 */
type UndoStep<L> = "marks" | { before: L };

interface UndoAvailability {
  undo: boolean;
  redo: boolean;
}

/** Changes of the display settings within this time, in ms, belong to one undo step. */
const mergeWithinMs = 800;
const maxSteps = 200;

/** Annotations whose undo and redo include changes of the display settings, in the order in which they were made. */
export function useCombinedUndo<L>(
  annotations: AnnotationStore,
  displaySettings: L,
  restore: (displaySettings: L) => void,
): AnnotationStore {
  const [available, setAvailable] = useReducer((_: UndoAvailability, now: UndoAvailability) => now, {
    undo: false,
    redo: false,
  });
  const done = useRef<UndoStep<L>[]>([]);
  const undone = useRef<UndoStep<L>[]>([]);
  const lastSettings = useRef(displaySettings);
  const changedAt = useRef(0);
  const updateAvailability = useCallback(
    () => setAvailable({ undo: done.current.length > 0, redo: undone.current.length > 0 }),
    [],
  );
  const serialized = JSON.stringify(displaySettings);
  useEffect(() => {
    if (JSON.stringify(lastSettings.current) === serialized) return;
    const now = performance.now();
    const isSame = typeof done.current.at(-1) === "object" && now - changedAt.current < mergeWithinMs;
    if (!isSame) done.current = [...done.current.slice(1 - maxSteps), { before: lastSettings.current }];
    undone.current = [];
    changedAt.current = now;
    lastSettings.current = JSON.parse(serialized) as L;
    updateAvailability();
  }, [serialized, updateAvailability]);

  const recordStep =
    <A extends readonly unknown[], R>(action: (...args: A) => R) =>
    (...args: A): R => {
      done.current = [...done.current.slice(1 - maxSteps), "marks"];
      undone.current = [];
      updateAvailability();
      return action(...args);
    };
  const moveStep = (from: typeof done, to: typeof done, moveAnnotations: () => void) => {
    const step = from.current.pop();
    // Only the annotations know the changes made before this page was opened.
    if (!step || step === "marks") {
      if (step) to.current.push(step);
      updateAvailability();
      return moveAnnotations();
    }
    to.current.push({ before: lastSettings.current });
    lastSettings.current = step.before;
    changedAt.current = 0;
    restore(step.before);
    updateAvailability();
  };
  return {
    ...annotations,
    put: recordStep(annotations.put),
    remove: recordStep(annotations.remove),
    replace: recordStep(annotations.replace),
    canUndo: annotations.canUndo || available.undo,
    canRedo: annotations.canRedo || available.redo,
    undo: () => moveStep(done, undone, annotations.undo),
    redo: () => moveStep(undone, done, annotations.redo),
  };
}
