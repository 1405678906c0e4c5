import { useRef, useState } from "react";
import type { FormEvent } from "react";
import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import { translateFieldMessage, validateInput } from "../../data/field-validation.ts";
import { readFieldProblems } from "../../data/call-errors.ts";
import type { RefusalError } from "../../data/call-errors.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCommand } from "../../data/use-command.ts";

interface LightFormOptions<C extends Call, V> {
  defaults: V;
  input: (values: V) => Input<C>;
  done: (data: Output<C>, values: V) => void;
  onRefused?: (refused: RefusalError) => void;
  /** More problems than the schema of the call knows, beside their fields. */
  findProblems?: (values: V) => Record<string, string>;
  /** Runs before the call; false if it failed and has told `refuse` why. */
  prepare?: (values: V, refuse: (refused: RefusalError) => void) => Promise<boolean>;
}

/**
 * Forms of the sign-in pages: like useCallForm, but without a library that the first page would have to load. Validated
 * by the call's schema on submit, then at every key, so that an error disappears as soon as it is corrected.
 */
export function useLightCallForm<C extends Call, V extends Record<string, unknown>>(
  call: C,
  options: LightFormOptions<C, V>,
) {
  const t = useTexts();
  const [values, setValues] = useState(options.defaults);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [isChecked, setChecked] = useState(false);
  const [isPreparing, setPreparing] = useState(false);
  const command = useCommand(call, { shownBy: "form" });
  const findProblems = (of: V) => ({ ...validateInput(call, options.input(of)), ...options.findProblems?.(of) });

  // The newest values, also for calls that started before the last key.
  const latestValues = useRef(values);

  const set = (change: Partial<V>) => {
    const next = { ...latestValues.current, ...change };
    latestValues.current = next;
    setValues(next);
    if (!isChecked) return;
    const found = findProblems(next);
    setProblems((before) => ({ ...omitKeys(before, Object.keys(change)), ...pickKeys(found, Object.keys(change)) }));
  };

  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    setChecked(true);
    const found = findProblems(values);
    setProblems(found);
    const form = event?.currentTarget as HTMLFormElement | undefined;
    if (Object.keys(found).length > 0) return focusFirstProblem(form, found);
    const refuse = (refused: RefusalError) => {
      setProblems(readFieldProblems(refused));
      focusFirstProblem(form, readFieldProblems(refused));
      options.onRefused?.(refused);
    };
    if (options.prepare) {
      setPreparing(true);
      const isPrepared = await options.prepare(values, refuse).finally(() => setPreparing(false));
      if (!isPrepared) return;
    }
    const outcome = await command.run(options.input(values), refuse);
    if (outcome) options.done(outcome.data, values);
  };

  const { refused } = command;
  const isFieldProblem = refused !== null && Object.keys(readFieldProblems(refused)).some((field) => field in values);
  return {
    values,
    set,
    submit,
    busy: command.busy || isPreparing,
    refused,
    /** Clears the rejection, because it belongs to an earlier input. */
    forget: () => command.clearRefusal(),
    /** The message of a rejection that belongs to no field of the form. */
    problem: refused?.show === "form" && !isFieldProblem ? refused.msg : undefined,
    error: (field: string): string | undefined => translateFieldMessage(t, problems[field]),
  };
}

const omitKeys = (from: Record<string, string>, names: string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));
const pickKeys = (from: Record<string, string>, names: string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));

/** Moves the focus to the first field with an error, for users who cannot see it. */
function focusFirstProblem(form: HTMLFormElement | undefined, problems: Record<string, string>): void {
  const first = form && [...form.elements].find((element) => (element as HTMLInputElement).name in problems);
  (first as HTMLElement | undefined)?.focus();
}
