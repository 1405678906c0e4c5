import { useCallback, useEffect, useRef, useState } from "react";
import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import { ask } from "./ask.ts";
import { notifyCommandSuccess, settleEnding, markEnding } from "./command-success-and-ended-records.ts";
import { captureFocus } from "../browser/focus-restoration.ts";
import { NoResponseError, RefusalError } from "./call-errors.ts";
import { createUniqueKey } from "../browser/unique-id.ts";

export interface Command<C extends Call> {
  /**
   * Returns null if the call was refused; the refusal has been shown already. Ignored while one runs, and the same
   * input again for 3 s.
   */
  run(input: Input<C>, refused?: (refused: RefusalError) => void): Promise<{ data: Output<C> } | null>;
  busy: boolean;
  /** The refusal of the last run. */
  refused: RefusalError | null;
  clearRefusal(): void;
}

/**
 * Time in milliseconds for which a button that succeeded ignores the same action again: the second click of a double
 * click, an impatient third.
 */
const repeatMs = 3000;

export interface CommandOptions<C extends Call> {
  shownBy?: "form";
  /** Records that no longer exist afterwards: data of them on this page are not refetched. */
  removedIds?: (input: Input<C>) => readonly string[];
}

/**
 * An action that a user starts by a button, which is disabled while it runs. After a run without an answer the same
 * input is sent with the same idempotency key, so that pressing again cannot execute it twice.
 */
export function useCommand<C extends Call>(call: C, options: CommandOptions<C> = {}): Command<C> {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<RefusalError | null>(null);
  const running = useRef(false);
  const restoreFocus = useRef(() => {});
  const intent = useRef<{ input: string; key: string } | null>(null);
  const lastRun = useRef<{ input: string; at: number } | null>(null);
  const { shownBy } = options;
  const removedIdsRef = useRef(options.removedIds);
  useEffect(() => void (removedIdsRef.current = options.removedIds));

  const run = useCallback(
    async (input: Input<C>, onRefused?: (refused: RefusalError) => void) => {
      const text = JSON.stringify(input ?? null);
      if (running.current || (call.isIdempotent && isRepeat(lastRun.current, text))) return null;
      running.current = true;
      restoreFocus.current = captureFocus();
      setBusy(true);
      setRefused(null);
      const endingIds = removedIdsRef.current?.(input) ?? [];
      markEnding(endingIds);
      if (intent.current?.input !== text) intent.current = { input: text, key: createUniqueKey() };
      try {
        const data = await ask(call, input, { idempotencyKey: intent.current.key, ...(shownBy && { shownBy }) });
        intent.current = null;
        lastRun.current = { input: text, at: Date.now() };
        settleEnding(endingIds, true);
        notifyCommandSuccess(call);
        return { data };
      } catch (error) {
        settleEnding(endingIds, false);
        if (!(error instanceof NoResponseError)) intent.current = null;
        if (error instanceof RefusalError) {
          // Another user was faster: the page shows the current state.
          if (error.status === 409) notifyCommandSuccess(call);
          setRefused(error);
          onRefused?.(error);
        }
        return null;
      } finally {
        running.current = false;
        setBusy(false);
      }
    },
    [call, shownBy],
  );
  // A disabled button drops the focus.
  useEffect(() => {
    if (!busy) restoreFocus.current();
  }, [busy]);
  return { run, busy, refused, clearRefusal: useCallback(() => setRefused(null), []) };
}

const isRepeat = (last: { input: string; at: number } | null, input: string): boolean =>
  last?.input === input && Date.now() - last.at < repeatMs;
