import { useCallback, useEffect, useRef, useState } from "react";
import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import { ask } from "./ask.ts";
import { changed, ended, ends } from "./changes.ts";
import { holdFocus } from "./focus.ts";
import { NoAnswer, RefusedAnswer } from "./refused.ts";
import { uniqueKey } from "./unique.ts";

export interface Command<C extends Call> {
  /**
   * Returns null if the call was refused; the refusal has been shown already. Ignored while one runs, and the same
   * input again for 3 s.
   */
  run(input: Input<C>, refused?: (refused: RefusedAnswer) => void): Promise<{ data: Output<C> } | null>;
  busy: boolean;
  /** The refusal of the last run. */
  refused: RefusedAnswer | null;
  forget(): void;
}

/**
 * Time in milliseconds for which a button that succeeded ignores the same action again: the second click of a double
 * click, an impatient third.
 */
const repeatMilliseconds = 3000;

export interface CommandOptions<C extends Call> {
  shownBy?: "form";
  /** Records that no longer exist afterwards: data of them on this page are not refetched. */
  ends?: (input: Input<C>) => readonly string[];
}

/**
 * An action that a user starts by a button, which is disabled while it runs. After a run without an answer the same
 * input is sent with the same idempotency key, so that pressing again cannot execute it twice.
 */
export function useCommand<C extends Call>(call: C, options: CommandOptions<C> = {}): Command<C> {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<RefusedAnswer | null>(null);
  const running = useRef(false);
  const giveFocusBack = useRef(() => {});
  const intent = useRef<{ input: string; key: string } | null>(null);
  const lastDone = useRef<{ input: string; at: number } | null>(null);
  const { shownBy } = options;
  const endsNow = useRef(options.ends);
  useEffect(() => void (endsNow.current = options.ends));

  const run = useCallback(
    async (input: Input<C>, heard?: (refused: RefusedAnswer) => void) => {
      const text = JSON.stringify(input ?? null);
      if (running.current || (call.command && isRepeat(lastDone.current, text))) return null;
      running.current = true;
      giveFocusBack.current = holdFocus();
      setBusy(true);
      setRefused(null);
      const leaving = endsNow.current?.(input) ?? [];
      ends(leaving);
      if (intent.current?.input !== text) intent.current = { input: text, key: uniqueKey() };
      try {
        const data = await ask(call, input, { idempotencyKey: intent.current.key, ...(shownBy && { shownBy }) });
        intent.current = null;
        lastDone.current = { input: text, at: Date.now() };
        ended(leaving, true);
        changed(call);
        return { data };
      } catch (error) {
        ended(leaving, false);
        if (!(error instanceof NoAnswer)) intent.current = null;
        if (error instanceof RefusedAnswer) {
          // Another user was faster: the page shows the current state.
          if (error.status === 409) changed(call);
          setRefused(error);
          heard?.(error);
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
    if (!busy) giveFocusBack.current();
  }, [busy]);
  return { run, busy, refused, forget: useCallback(() => setRefused(null), []) };
}

const isRepeat = (last: { input: string; at: number } | null, input: string): boolean =>
  last?.input === input && Date.now() - last.at < repeatMilliseconds;
