import { z } from "zod";
import { accountProblem, accountRules } from "./account.rules.ts";

/** Phone number or e-mail address, as it is typed. */
export const account = z
  .string()
  .trim()
  .max(120)
  .superRefine((value, context) => {
    const problem = accountProblem(value);
    if (problem) context.addIssue({ code: "custom", message: problem });
  });
export const countryCode = z
  .string()
  .regex(/^\+?\d{1,4}$/)
  .default("+86");
export const password = z
  .string()
  .min(1, "passwordEmpty")
  .min(accountRules.passwordMin, "passwordShort")
  .max(accountRules.passwordMax, "passwordLong");
export const code = z
  .string()
  .min(1, "codeEmpty")
  .regex(/^\d{6}$/, "codeShape");
/** A country of `fetchCountries`, by its two letters. */
export const nation = z
  .string()
  .min(1, "countryNeeded")
  .regex(/^[A-Z]{2}$/, "countryNeeded");
