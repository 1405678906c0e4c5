import { z } from "zod";
import { limited, text } from "../kernel/fields.ts";
import { accountProblem, accountRules } from "./account.rules.ts";

/** Phone number or e-mail address, as it is typed. */
export const account = text(120).superRefine((value, context) => {
  const problem = accountProblem(value);
  if (problem) context.addIssue({ code: "custom", message: problem });
});
export const countryCode = limited(5)
  .regex(/^\+?\d{1,4}$/)
  .default("+86");
export const password = limited(accountRules.passwordMax, "passwordLong")
  .min(1, "passwordEmpty")
  .min(accountRules.passwordMin, "passwordShort");
export const code = limited(accountRules.crowdedDigits, "codeShape")
  .min(1, "codeEmpty")
  .regex(/^\d{6}(\d{4})?$/, "codeShape");
/** A country of `fetchCountries`, by its two-letter code. */
export const nation = limited(2, "countryNeeded")
  .min(1, "countryNeeded")
  .regex(/^[A-Z]{2}$/, "countryNeeded");

export const tokenOutput = z.object({ token: z.string() });
/** The solved proof-of-work challenge, base64 as the solver returns it. */
export const challengeSolution = limited(4000).optional();
export const passwordConfirmation = limited(accountRules.passwordMax);
export const passwordsMatch = <T extends { password: string; confirm: string }>(value: T) =>
  value.password === value.confirm;
const isRecord = ({ value }: { value: unknown }): boolean => typeof value === "object" && value !== null;
// Reported together with all other errors, not only after those are fixed.
export const passwordMismatch = { path: ["confirm"], message: "passwordsDiffer", when: isRecord };
