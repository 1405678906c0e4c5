import type { Annotation } from "@arcada/contract/study/annotation";
import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { send } from "../../../data/ask.ts";
import { storeAnswer } from "../../../data/cache-invalidation.ts";
import { queryClient, queryKeyOf } from "../../../data/query-client.ts";
import { RefusalError } from "../../../data/call-errors.ts";
import { createUniqueKey } from "../../../browser/unique-id.ts";
import { changeAnnotations, noAnnotations, type AnnotationChange } from "./annotation-history.ts";

/**
 * `own`: this role's annotations are not saved; `newer`: another user has saved in the meantime; `lost`: saving failed;
 * `unread`: reading failed.
 */
type SaveState = "loading" | "saved" | "saving" | "lost" | "newer" | "own" | "unread";

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

const saveDelayMs = 700;

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

/** Saves one version after the other, always the latest; a pending one is sent at once when the page is left. */
class AnnotationSaver {
  private version: number;
  private pending: readonly Annotation[] | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isSaving = false;
  private isClosed = false;
  private readonly studyId: string;
  private readonly report: (state: SaveState) => void;

  constructor(studyId: string, version: number, report: (state: SaveState) => void) {
    this.studyId = studyId;
    this.version = version;
    this.report = (state) => this.isClosed || report(state);
  }

  /** Null while a change waits or is on its way. */
  get savedVersion(): number | null {
    return this.pending || this.isSaving ? null : this.version;
  }

  schedule(annotations: readonly Annotation[]): void {
    this.pending = annotations;
    this.report("saving");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), saveDelayMs);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    void this.save();
  }

  private async save(): Promise<void> {
    if (this.isSaving || !this.pending) return;
    this.isSaving = true;
    const annotations = this.pending;
    this.pending = null;
    try {
      ({ version: this.version } = await send(annotationCalls.saveMarks, {
        id: this.studyId,
        version: this.version,
        marks: [...annotations],
      }));
      if (!this.pending) this.report("saved");
    } catch (error) {
      this.report(error instanceof RefusalError && error.status === 409 ? "newer" : "lost");
    }
    this.isSaving = false;
    if (this.isClosed) await this.save();
    else if (this.pending) this.schedule(this.pending);
  }
}
