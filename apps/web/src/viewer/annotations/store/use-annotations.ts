import type { Annotation } from "@arcada/contract/study/annotation";
import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { send } from "../../../data/ask.ts";
import { storeAnswer } from "../../../data/cache-invalidation.ts";
import { queryClient, queryKeyOf } from "../../../data/query-client.ts";
import { createUniqueKey } from "../../../browser/unique-id.ts";
import { AnnotationSaver, type AnnotationSaveState } from "./annotation-saver.ts";
import { changeAnnotations, noAnnotations, type AnnotationChange } from "./annotation-history.ts";

/** `own`: this role's annotations are not saved; `unread`: reading failed. */
type SaveState = "loading" | "own" | "unread" | AnnotationSaveState;

export interface AnnotationStore {
  /** Null if they are stored nowhere. */
  studyId: string | null;
  list: readonly Annotation[];
  state: SaveState;
  canUndo: boolean;
  canRedo: boolean;
  /** The version under which exactly these annotations are saved; null while they are not. */
  findSavedVersion: () => number | null;
  put: (annotation: Omit<Annotation, "id"> & { id?: string | undefined }) => string;
  /** Saves it without an undo step. */
  amend: (annotation: Annotation) => void;
  remove: (...ids: string[]) => void;
  /** Replaces all of them at once: an earlier version is restored, which can be undone. */
  replace: (annotations: readonly Annotation[]) => void;
  undo: () => void;
  redo: () => void;
  /** Saves again after a failed save; reads again after a failed read or if another user's version is newer. */
  retry: () => void;
}

/** The annotations of a study: read once, saved a moment after the last change, based on the version that was read. */
export function useAnnotations(studyId: string, maySave: boolean, readCall = annotationCalls.marks): AnnotationStore {
  const [history, change] = useReducer(changeAnnotations, noAnnotations);
  const [readCount, readAnew] = useReducer((count: number) => count + 1, 0);
  const readKey = `${studyId} ${maySave} ${readCount}`;
  const [reported, report] = useState<{ of: string; state: SaveState }>();
  const state = reported?.of === readKey ? reported.state : "loading";
  const saver = useRef<AnnotationSaver | null>(null);

  useEffect(() => {
    const aborter = new AbortController();
    const setState = (now: SaveState) => report({ of: readKey, state: now });
    send(readCall, { id: studyId }, { signal: aborter.signal }).then(
      (answer) => {
        if (aborter.signal.aborted) return;
        // The page's header reads them from there.
        storeAnswer(queryClient, queryKeyOf(readCall, { id: studyId }), answer);
        const { version, marks: annotations } = answer;
        change({ type: "load", annotations });
        saver.current = maySave ? new AnnotationSaver(studyId, version, setState) : null;
        setState(maySave ? "saved" : "own");
      },
      () => aborter.signal.aborted || setState("unread"),
    );
    return () => {
      aborter.abort();
      saver.current?.close();
      saver.current = null;
    };
  }, [studyId, maySave, readCall, readKey]);

  const latest = useRef(history);
  const applyChange = useCallback((request: AnnotationChange) => {
    latest.current = changeAnnotations(latest.current, request);
    change(request);
    saver.current?.schedule(latest.current.annotations);
  }, []);
  useEffect(() => void (latest.current = history), [history]);

  const put = useCallback(
    ({ id = createUniqueKey(), ...rest }: Omit<Annotation, "id"> & { id?: string | undefined }) => {
      applyChange({ type: "put", annotation: { id, ...rest } });
      return id;
    },
    [applyChange],
  );
  return {
    studyId,
    list: history.annotations,
    state,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    findSavedVersion: () => (state === "saved" ? (saver.current?.savedVersion ?? null) : null),
    put,
    amend: useCallback((annotation: Annotation) => applyChange({ type: "amend", annotation }), [applyChange]),
    remove: useCallback((...ids: string[]) => applyChange({ type: "remove", ids }), [applyChange]),
    replace: useCallback(
      (annotations: readonly Annotation[]) => applyChange({ type: "replace", annotations }),
      [applyChange],
    ),
    undo: useCallback(() => applyChange({ type: "undo" }), [applyChange]),
    redo: useCallback(() => applyChange({ type: "redo" }), [applyChange]),
    retry: () => (state === "lost" ? saver.current?.schedule(history.annotations) : readAnew()),
  };
}
