import { set, useForm } from "react-hook-form";
import type { DefaultValues, FieldErrors, FieldValues, Path, Resolver, UseFormReturn } from "react-hook-form";
import { useEffect, useState } from "react";
import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import { translateFieldMessage, validateInput } from "./field-validation.ts";
import { readFieldProblems } from "./call-errors.ts";
import type { RefusalError } from "./call-errors.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "./use-command.ts";
import { deleteDraft, saveDraft, readDraft } from "../browser/drafts.ts";

export interface CallForm<V extends FieldValues> {
  form: UseFormReturn<V>;
  /** For `<form onSubmit>`. */
  submit: (event?: React.BaseSyntheticEvent) => Promise<void>;
  busy: boolean;
  /** The refusal of the call. */
  refused: RefusalError | null;
  /** The text of a refusal that belongs to no single field. */
  problem: string | undefined;
  /** The text beside a field, for Mantine's `error`. */
  error: (field: Path<V>) => string | undefined;
  /** True if the form holds input from before a reload. */
  isRestored: boolean;
  /** Discards the input, here and after a reload. */
  startOver: () => void;
}

interface Options<V extends FieldValues, C extends Call> {
  defaults: DefaultValues<V>;
  /** Converts the form's values to the call's input; without it the values are the input. */
  input?: (values: V) => Input<C>;
  onSuccess: (data: Output<C>, values: V) => void;
  /** Called after a refusal has been shown beside its fields. */
  onRefused?: (refused: RefusalError, values: V) => void;
  /** A name under which input outlives a reload. */
  draft?: string;
  /** As in `useCommand`. */
  removedIds?: (input: Input<C>) => readonly string[];
}

/**
 * A form whose fields are those of a call: validated by the call's schema before anything is sent; the server's
 * problems appear beside their fields; the input is kept.
 */
export function useCallForm<C extends Call, V extends FieldValues = Input<C> & FieldValues>(
  call: C,
  options: Options<V, C>,
): CallForm<V> {
  const t = useTexts();
  const toInput = (values: V) => (options.input ? options.input(values) : (values as unknown as Input<C>));
  const storedDraft = useDraft<V>(options.draft, options.defaults as V);
  const form = useForm<V>({
    defaultValues: (storedDraft.found as DefaultValues<V> | null) ?? options.defaults,
    resolver: (values) => validateForm<V>(call, values, toInput(values)),
  });
  const command = useCommand(call, { shownBy: "form", ...(options.removedIds && { removedIds: options.removedIds }) });
  useDraftAutosave(form, options.draft);

  const send = async (values: V) => {
    const outcome = await command.run(toInput(values), (refused) => {
      for (const [at, [field, message]] of Object.entries(readFieldProblems(refused)).entries())
        form.setError(field as Path<V>, { type: "server", message }, { shouldFocus: at === 0 });
      options.onRefused?.(refused, values);
    });
    if (!outcome) return;
    storedDraft.drop();
    options.onSuccess(outcome.data, values);
  };
  const { refused } = command;
  const { errors } = form.formState;
  return {
    form,
    submit: form.handleSubmit(send, () => toast("error", t("common.formProblem"))),
    busy: command.busy,
    refused,
    problem:
      refused?.show === "form" &&
      Object.keys(readFieldProblems(refused)).every((field) => !form.getFieldState(field as Path<V>).error)
        ? refused.msg
        : undefined,
    error: (field) => translateFieldMessage(t, findMessage(errors, field, refused ? readFieldProblems(refused) : {})),
    isRestored: storedDraft.found !== null,
    startOver: () => {
      storedDraft.drop();
      form.reset(options.defaults as V);
    },
  };
}

/** Returns the values that a form held before a reload. Without a name nothing is kept. */
function useDraft<V extends FieldValues>(name: string | undefined, initial: V) {
  const [found, setFound] = useState(() => (name ? readDraft<V>(name, initial) : null));
  const drop = () => {
    if (name) deleteDraft(name);
    setFound(null);
  };
  return { found, drop };
}

function useDraftAutosave<V extends FieldValues>({ subscribe }: UseFormReturn<V>, name: string | undefined): void {
  useEffect(() => {
    if (!name) return;
    return subscribe({
      formState: { values: true },
      // Without a field's name the form was filled by the page, not by the user.
      callback: ({ name: field, values }) => {
        if (field !== undefined) saveDraft(name, values);
      },
    });
  }, [subscribe, name]);
}

function validateForm<V extends FieldValues>(call: Call, values: V, input: unknown): ReturnType<Resolver<V>> {
  const problems = Object.entries(validateInput(call, input));
  if (problems.length === 0) return { values, errors: {} };
  const errors = {};
  for (const [field, message] of problems) set(errors, field, { type: "rule", message });
  return { values: {}, errors: errors as FieldErrors<V> };
}

/** Messages of the server are looked up again: after a change of language they appear in the new one. */
function findMessage(errors: FieldErrors, path: string, serverMessages: Record<string, string>): string | undefined {
  const node = path
    .split(".")
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], errors);
  const { message, type } = (node ?? {}) as { message?: unknown; type?: unknown };
  return typeof message === "string" ? (type === "server" && serverMessages[path]) || message : undefined;
}
