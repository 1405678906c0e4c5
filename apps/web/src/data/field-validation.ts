import { config } from "zod";
import type { z } from "zod";
import type { Call } from "@arcada/contract/kernel/call";
import { translateDynamic } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";

/** Without `jitless` zod compiles its checks with `new Function`, which our content security policy forbids. */
export function configureZod(): void {
  config({ jitless: true, customError: (issue) => toMessageKey(issue as z.core.$ZodRawIssue) });
}

/** Translates a zod issue into a key of common.field: `required`, or `tooLong|120` if the text names a number. */
export function toMessageKey(issue: z.core.$ZodRawIssue): string {
  if (issue.code === "too_small") {
    if (issue.origin === "number") return `tooSmall|${issue.minimum}`;
    return Number(issue.minimum) <= 1 ? "required" : `tooShort|${issue.minimum}`;
  }
  if (issue.code === "too_big") return `${issue.origin === "number" ? "tooBig" : "tooLong"}|${issue.maximum}`;
  if (issue.code === "invalid_type" && (issue.input === undefined || issue.input === null || issue.input === ""))
    return "required";
  if (issue.code === "invalid_value" && (issue.input === undefined || issue.input === null || issue.input === ""))
    return "required";
  if (issue.code === "invalid_format") return formatKeys[issue.format] ?? "invalid";
  return "invalid";
}

const formatKeys: Readonly<Record<string, string>> = { email: "emailShape", date: "dateShape", datetime: "timeShape" };

/** The message beside a field: a text of common.field if the key is known, else the server's own text. */
export function translateFieldMessage(t: Translate, message: string | undefined): string | undefined {
  if (!message) return undefined;
  const [key = "", count] = message.split("|");
  const text = translateDynamic(t, `common.field.${key}`, "", { count: Number(count ?? 0) });
  if (text) return text;
  return /^[\w.|-]+$/.test(message) ? t("common.field.invalid") : message;
}

/** Validates the input of a call and returns the first problem of each field. */
export function validateInput(call: Call, input: unknown): Record<string, string> {
  const parsed = call.input.safeParse(input);
  if (parsed.success) return {};
  const problems: Record<string, string> = {};
  for (const issue of parsed.error.issues) problems[issue.path.join(".")] ??= issue.message;
  return problems;
}
