import { useCallback, useReducer } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import { uniqueKey } from "../../kernel/unique.ts";
import { changeMarks, noMarks } from "./history.ts";
import type { Marks } from "./use-marks.ts";

/** Annotations that live as long as the page: for models that belong to no study. */
export function useOwnMarks(): Marks {
  const [history, change] = useReducer(changeMarks, noMarks);
  const put = useCallback(({ id = uniqueKey(), ...rest }: Omit<Mark, "id"> & { id?: string | undefined }) => {
    change({ type: "put", mark: { id, ...rest } });
    return id;
  }, []);
  return {
    studyId: null,
    list: history.marks,
    state: "own",
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    put,
    amend: useCallback((mark: Mark) => change({ type: "amend", mark }), []),
    remove: useCallback((...ids: string[]) => change({ type: "remove", ids }), []),
    replace: useCallback((marks: readonly Mark[]) => change({ type: "replace", marks }), []),
    undo: useCallback(() => change({ type: "undo" }), []),
    redo: useCallback(() => change({ type: "redo" }), []),
    again: () => {},
  };
}
