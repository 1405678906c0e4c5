import type { Mark } from "@arcada/contract/study/mark";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { send } from "../../kernel/ask.ts";
import { RefusedAnswer } from "../../kernel/refused.ts";
import { uniqueKey } from "../../kernel/unique.ts";
import { changeMarks, noMarks, type MarkChange } from "./history.ts";

/**
 * `own`: this role's annotations are not saved; `newer`: another user has saved in the meantime; `lost`: saving failed;
 * `unread`: reading failed.
 */
type MarkState = "loading" | "saved" | "saving" | "lost" | "newer" | "own" | "unread";

export interface Marks {
  /** Null if they are stored nowhere. */
  studyId: string | null;
  list: readonly Mark[];
  state: MarkState;
  canUndo: boolean;
  canRedo: boolean;
  put: (mark: Omit<Mark, "id"> & { id?: string | undefined }) => string;
  /** Saves it without an undo step. */
  amend: (mark: Mark) => void;
  remove: (...ids: string[]) => void;
  /** Replaces all of them at once: an earlier version is restored, which can be undone. */
  replace: (marks: readonly Mark[]) => void;
  undo: () => void;
  redo: () => void;
  /** Saves again after a failed save; reads again after a failed read or if another user's version is newer. */
  again: () => void;
}

const restMilliseconds = 700;

/** The annotations of a study: read once, saved a moment after the last change, based on the version that was read. */
export function useMarks(studyId: string, maySave: boolean, from = studyCalls.marks): Marks {
  const [history, change] = useReducer(changeMarks, noMarks);
  const [reads, readAgain] = useReducer((count: number) => count + 1, 0);
  const reading = `${studyId} ${maySave} ${reads}`;
  const [told, tell] = useState<{ of: string; state: MarkState }>();
  const state = told?.of === reading ? told.state : "loading";
  const saver = useRef<Saver | null>(null);

  useEffect(() => {
    const gone = new AbortController();
    const setState = (now: MarkState) => tell({ of: reading, state: now });
    send(from, { id: studyId }, { signal: gone.signal }).then(
      ({ version, marks }) => {
        if (gone.signal.aborted) return;
        change({ type: "load", marks });
        saver.current = maySave ? new Saver(studyId, version, setState) : null;
        setState(maySave ? "saved" : "own");
      },
      () => gone.signal.aborted || setState("unread"),
    );
    return () => {
      gone.abort();
      saver.current?.leave();
      saver.current = null;
    };
  }, [studyId, maySave, from, reading]);

  const latest = useRef(history);
  const alter = useCallback((made: MarkChange) => {
    latest.current = changeMarks(latest.current, made);
    change(made);
    saver.current?.later(latest.current.marks);
  }, []);
  useEffect(() => void (latest.current = history), [history]);

  const put = useCallback(
    ({ id = uniqueKey(), ...rest }: Omit<Mark, "id"> & { id?: string | undefined }) => {
      alter({ type: "put", mark: { id, ...rest } });
      return id;
    },
    [alter],
  );
  return {
    studyId,
    list: history.marks,
    state,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    put,
    amend: useCallback((mark: Mark) => alter({ type: "amend", mark }), [alter]),
    remove: useCallback((...ids: string[]) => alter({ type: "remove", ids }), [alter]),
    replace: useCallback((marks: readonly Mark[]) => alter({ type: "replace", marks }), [alter]),
    undo: useCallback(() => alter({ type: "undo" }), [alter]),
    redo: useCallback(() => alter({ type: "redo" }), [alter]),
    again: () => (state === "lost" ? saver.current?.later(history.marks) : readAgain()),
  };
}

/** Saves one version after the other, always the latest; a pending one is sent at once when the page is left. */
class Saver {
  private version: number;
  private waiting: readonly Mark[] | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isRunning = false;
  private hasLeft = false;
  private readonly studyId: string;
  private readonly tell: (state: MarkState) => void;

  constructor(studyId: string, version: number, tell: (state: MarkState) => void) {
    this.studyId = studyId;
    this.version = version;
    this.tell = (state) => this.hasLeft || tell(state);
  }

  later(marks: readonly Mark[]): void {
    this.waiting = marks;
    this.tell("saving");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), restMilliseconds);
  }

  leave(): void {
    this.hasLeft = true;
    clearTimeout(this.timer);
    void this.save();
  }

  private async save(): Promise<void> {
    if (this.isRunning || !this.waiting) return;
    this.isRunning = true;
    const marks = this.waiting;
    this.waiting = null;
    try {
      ({ version: this.version } = await send(studyCalls.saveMarks, {
        id: this.studyId,
        version: this.version,
        marks: [...marks],
      }));
      if (!this.waiting) this.tell("saved");
    } catch (error) {
      this.tell(error instanceof RefusedAnswer && error.status === 409 ? "newer" : "lost");
    }
    this.isRunning = false;
    if (this.hasLeft) await this.save();
    else if (this.waiting) this.later(this.waiting);
  }
}
