import { useRef, useState } from "react";
import type { FormEvent } from "react";
import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import { fieldText, problemsOf } from "../kernel/field-text.ts";
import { fieldProblems } from "../kernel/refused.ts";
import type { RefusedAnswer } from "../kernel/refused.ts";
import { useTexts } from "../kernel/texts.ts";
import { useCommand } from "../kernel/use-command.ts";

/**
 * Forms of the sign-in pages: like useCallForm, but without a library that the first page would have to load. Validated
 * by the call's schema on submit, then at every key, so that an error disappears as soon as it is corrected.
 */
export function useFields<C extends Call, V extends Record<string, unknown>>(
  call: C,
  options: {
    start: V;
    input: (values: V) => Input<C>;
    done: (data: Output<C>, values: V) => void;
    heard?: (refused: RefusedAnswer) => void;
  },
) {
  const t = useTexts();
  const [values, setValues] = useState(options.start);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [checked, setChecked] = useState(false);
  const command = useCommand(call, { shownBy: "form" });

  // The newest values, also for calls that started before the last key.
  const newest = useRef(values);

  const set = (change: Partial<V>) => {
    const next = { ...newest.current, ...change };
    newest.current = next;
    setValues(next);
    if (!checked) return;
    const found = problemsOf(call, options.input(next));
    setProblems((before) => ({ ...without(before, Object.keys(change)), ...pick(found, Object.keys(change)) }));
  };

  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    setChecked(true);
    const found = problemsOf(call, options.input(values));
    setProblems(found);
    const form = event?.currentTarget as HTMLFormElement | undefined;
    if (Object.keys(found).length > 0) return focusFirst(form, found);
    const outcome = await command.run(options.input(values), (refused) => {
      setProblems(fieldProblems(refused));
      focusFirst(form, fieldProblems(refused));
      options.heard?.(refused);
    });
    if (outcome) options.done(outcome.data, values);
  };

  const { refused } = command;
  const isBeside = refused !== null && Object.keys(fieldProblems(refused)).some((field) => field in values);
  return {
    values,
    set,
    submit,
    busy: command.busy,
    refused,
    /** Clears the rejection, because it belongs to an earlier input. */
    forget: () => command.forget(),
    /** The message of a rejection that belongs to no field of the form. */
    problem: refused?.show === "form" && !isBeside ? refused.msg : undefined,
    error: (field: string): string | undefined => fieldText(t, problems[field]),
  };
}

const without = (from: Record<string, string>, names: string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));
const pick = (from: Record<string, string>, names: string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));

/** Moves the focus to the first field with an error, for users who cannot see it. */
function focusFirst(form: HTMLFormElement | undefined, problems: Record<string, string>): void {
  const first = form && [...form.elements].find((element) => (element as HTMLInputElement).name in problems);
  (first as HTMLElement | undefined)?.focus();
}
