import { z } from "zod";
import { call } from "../kernel/call.ts";
import { limited, nullOutput } from "../kernel/fields.ts";
import {
  account,
  code,
  countryCode,
  password,
  challengeSolution,
  passwordConfirmation,
  passwordsMatch,
  passwordMismatch,
} from "./account.schema.ts";
import { accountRules } from "./account.rules.ts";

export const passwordCalls = {
  resetPassword: call({
    method: "POST",
    path: "/v1/base/changePassword",
    access: "anyone",
    summary: "Sets a new password with a code; every session of the account ends.",
    input: z
      .object({ account, countryCode, code, password, confirm: passwordConfirmation, human: challengeSolution })
      .refine(passwordsMatch, passwordMismatch),
    output: nullOutput,
  }),
  changePassword: call({
    method: "POST",
    path: "/v1/user/changePassword",
    access: "signedIn",
    summary: "Changes the password; all other sessions end.",
    input: z
      .object({ oldPassword: limited(accountRules.passwordMax), password, confirm: passwordConfirmation })
      .refine(passwordsMatch, passwordMismatch),
    output: nullOutput,
  }),
} as const;
