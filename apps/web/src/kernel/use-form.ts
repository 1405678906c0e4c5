import { set, useForm } from "react-hook-form";
import type { DefaultValues, FieldErrors, FieldValues, Path, Resolver, UseFormReturn } from "react-hook-form";
import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import { fieldText, problemsOf } from "./field-text.ts";
import { fieldProblems } from "./refused.ts";
import type { RefusedAnswer } from "./refused.ts";
import { useTexts } from "./texts.ts";
import { toast } from "./toast.ts";
import { useCommand } from "./use-command.ts";
import { useKeeping, useKeptDraft } from "./use-kept-draft.ts";

export interface CallForm<V extends FieldValues> {
  form: UseFormReturn<V>;
  /** For `<form onSubmit>`. */
  submit: (event?: React.BaseSyntheticEvent) => Promise<void>;
  busy: boolean;
  /** The refusal of the call. */
  refused: RefusedAnswer | null;
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
  done: (data: Output<C>, values: V) => void;
  /** Called after a refusal has been shown beside its fields. */
  heard?: (refused: RefusedAnswer, values: V) => void;
  /** A name under which input outlives a reload. */
  draft?: string;
  /** As in `useCommand`. */
  ends?: (input: Input<C>) => readonly string[];
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
  const make = (values: V) => (options.input ? options.input(values) : (values as unknown as Input<C>));
  const kept = useKeptDraft<V>(options.draft, options.defaults as V);
  const form = useForm<V>({
    defaultValues: (kept.found as DefaultValues<V> | null) ?? options.defaults,
    resolver: (values) => check<V>(call, values, make(values)),
  });
  const command = useCommand(call, { shownBy: "form", ...(options.ends && { ends: options.ends }) });
  useKeeping(form, options.draft);

  const send = async (values: V) => {
    const outcome = await command.run(make(values), (refused) => {
      for (const [at, [field, message]] of Object.entries(fieldProblems(refused)).entries())
        form.setError(field as Path<V>, { type: "server", message }, { shouldFocus: at === 0 });
      options.heard?.(refused, values);
    });
    if (!outcome) return;
    kept.drop();
    options.done(outcome.data, values);
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
      Object.keys(fieldProblems(refused)).every((field) => !form.getFieldState(field as Path<V>).error)
        ? refused.msg
        : undefined,
    error: (field) => fieldText(t, messageAt(errors, field, refused ? fieldProblems(refused) : {})),
    isRestored: kept.found !== null,
    startOver: () => {
      kept.drop();
      form.reset(options.defaults as V);
    },
  };
}

function check<V extends FieldValues>(call: Call, values: V, input: unknown): ReturnType<Resolver<V>> {
  const problems = Object.entries(problemsOf(call, input));
  if (problems.length === 0) return { values, errors: {} };
  const errors = {};
  for (const [field, message] of problems) set(errors, field, { type: "rule", message });
  return { values: {}, errors: errors as FieldErrors<V> };
}

/** Messages of the server are looked up again: after a change of language they appear in the new one. */
function messageAt(errors: FieldErrors, path: string, said: Record<string, string>): string | undefined {
  const node = path
    .split(".")
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], errors);
  const { message, type } = (node ?? {}) as { message?: unknown; type?: unknown };
  return typeof message === "string" ? (type === "server" && said[path]) || message : undefined;
}
