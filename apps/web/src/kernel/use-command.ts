import { useCallback, useEffect, useRef, useState } from "react";
import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import { ask } from "./ask.ts";
import { changed, ended, ends } from "./changes.ts";
import { holdFocus } from "./focus.ts";
import { NoAnswer, RefusedAnswer } from "./refused.ts";
import { uniqueKey } from "./unique.ts";

export interface Command<C extends Call> {
  /** Answers null when the call was refused: that was shown already. Ignored while one runs, and the same again for 3 s. */
  run(input: Input<C>, refused?: (refused: RefusedAnswer) => void): Promise<{ data: Output<C> } | null>;
  busy: boolean;
  /** Why the last run failed. */
  refused: RefusedAnswer | null;
  forget(): void;
}

/** How long a button that did something ignores the same once more: the second click of a double click, an impatient third. */
const repeatMilliseconds = 3000;

export interface CommandOptions<C extends Call> {
  shownBy?: "form";
  /** Records that are no more when it is done: what this page shows of them is not asked for again. */
  ends?: (input: Input<C>) => readonly string[];
}

/**
 * Something that a person does by a button: locked while it runs. After a run without an answer the same input travels
 * with the same idempotency key, so that pressing again cannot do the thing twice.
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
          // Somebody else was quicker: the page shows what is there now.
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
  // A locked button drops the focus.
  useEffect(() => {
    if (!busy) giveFocusBack.current();
  }, [busy]);
  return { run, busy, refused, forget: useCallback(() => setRefused(null), []) };
}

const isRepeat = (last: { input: string; at: number } | null, input: string): boolean =>
  last?.input === input && Date.now() - last.at < repeatMilliseconds;
