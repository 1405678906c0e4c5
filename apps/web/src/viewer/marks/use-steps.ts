import { useCallback, useEffect, useReducer, useRef } from "react";
import type { Marks } from "./use-marks.ts";

/** What was done: marks keep what was before themselves, of looks it is told here. */
type Step<L> = "marks" | { before: L };

interface Can {
  undo: boolean;
  redo: boolean;
}

/** A hand that goes on within this time is still at the same change of a look. */
const oneMove = 800;
const most = 200;

/** Marks whose undo and redo go through changes of the look, too, in the order in which they were made. */
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
    // What was changed before this page stood only marks know.
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
