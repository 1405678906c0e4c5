import { useCallback, useEffect, useReducer, useRef } from "react";
import type { Marks } from "./use-marks.ts";

/**
 * One undoable step. Annotations keep their own previous states; for display settings the state before the step is
 * stored here.
 */
type Step<L> = "marks" | { before: L };

interface Can {
  undo: boolean;
  redo: boolean;
}

/** Changes of the display settings within this time, in ms, belong to one undo step. */
const oneMove = 800;
const most = 200;

/** Annotations whose undo and redo include changes of the display settings, in the order in which they were made. */
export function useSteps<L>(marks: Marks, look: L, show: (look: L) => void): Marks {
  const [can, tell] = useReducer((_: Can, now: Can) => now, { undo: false, redo: false });
  const done = useRef<Step<L>[]>([]);
  const undone = useRef<Step<L>[]>([]);
  const settled = useRef(look);
  const movedAt = useRef(0);
  const retell = useCallback(() => tell({ undo: done.current.length > 0, redo: undone.current.length > 0 }), []);
  const told = JSON.stringify(look);
  useEffect(() => {
    if (JSON.stringify(settled.current) === told) return;
    const now = performance.now();
    const isSame = typeof done.current.at(-1) === "object" && now - movedAt.current < oneMove;
    if (!isSame) done.current = [...done.current.slice(1 - most), { before: settled.current }];
    undone.current = [];
    movedAt.current = now;
    settled.current = JSON.parse(told) as L;
    retell();
  }, [told, retell]);

  const noted =
    <A extends readonly unknown[], R>(act: (...given: A) => R) =>
    (...given: A): R => {
      done.current = [...done.current.slice(1 - most), "marks"];
      undone.current = [];
      retell();
      return act(...given);
    };
  const goes = (from: typeof done, to: typeof done, moveMarks: () => void) => {
    const step = from.current.pop();
    // Only the annotations know the changes made before this page was opened.
    if (!step || step === "marks") {
      if (step) to.current.push(step);
      retell();
      return moveMarks();
    }
    to.current.push({ before: settled.current });
    settled.current = step.before;
    movedAt.current = 0;
    show(step.before);
    retell();
  };
  return {
    ...marks,
    put: noted(marks.put),
    remove: noted(marks.remove),
    replace: noted(marks.replace),
    canUndo: marks.canUndo || can.undo,
    canRedo: marks.canRedo || can.redo,
    undo: () => goes(done, undone, marks.undo),
    redo: () => goes(undone, done, marks.redo),
  };
}
