import { useCallback, useReducer } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import { createUniqueKey } from "../../../browser/unique-id.ts";
import { changeAnnotations, noAnnotations } from "./annotation-history.ts";
import type { AnnotationStore } from "./use-annotations.ts";

/** Annotations that live as long as the page: for models that belong to no study. */
export function useUnsavedAnnotations(): AnnotationStore {
  const [history, change] = useReducer(changeAnnotations, noAnnotations);
  const put = useCallback(
    ({ id = createUniqueKey(), ...rest }: Omit<Annotation, "id"> & { id?: string | undefined }) => {
      change({ type: "put", annotation: { id, ...rest } });
      return id;
    },
    [],
  );
  return {
    studyId: null,
    list: history.annotations,
    state: "own",
    canUndo: history.past.length > 0,
    findSavedVersion: () => null,
    canRedo: history.future.length > 0,
    put,
    amend: useCallback((annotation: Annotation) => change({ type: "amend", annotation }), []),
    remove: useCallback((...ids: string[]) => change({ type: "remove", ids }), []),
    replace: useCallback((annotations: readonly Annotation[]) => change({ type: "replace", annotations }), []),
    undo: useCallback(() => change({ type: "undo" }), []),
    redo: useCallback(() => change({ type: "redo" }), []),
    retry: () => {},
  };
}
