import { useEffect } from "react";
import type { Call, Output } from "@arcada/contract/kernel/call";
import { ask } from "./ask.ts";
import { createStore, useStore } from "../browser/external-store.ts";
import type { Store } from "../browser/external-store.ts";

const answers = new Map<string, Store<unknown>>();

/**
 * Returns the server's answer to a call without input, requested once and kept while the page is open: for the sign-in
 * pages.
 */
export function useCallOnce<C extends Call>(call: C, wanted = true): Output<C> | undefined {
  const answer = getAnswerStore(call);
  useEffect(() => {
    if (!wanted || answer.get() !== undefined) return;
    answer.set(null);
    ask(call, {} as never).then(answer.set, () => answer.set(undefined));
  }, [answer, call, wanted]);
  return (useStore(answer) ?? undefined) as Output<C> | undefined;
}

function getAnswerStore(call: Call): Store<unknown> {
  const known = answers.get(call.path);
  if (known) return known;
  const created = createStore<unknown>(undefined);
  answers.set(call.path, created);
  return created;
}
