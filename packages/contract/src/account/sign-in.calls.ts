import { z } from "zod";
import { call } from "../kernel/call.ts";
import { limited } from "../kernel/fields.ts";
import { account, code, countryCode, challengeSolution, tokenOutput } from "./account.schema.ts";
import { accountRules } from "./account.rules.ts";

export const codePurposes = ["login", "register", "reset", "bind", "original"] as const;

export const signInCalls = {
  humanChallenge: call({
    method: "POST",
    path: "/v1/base/aliverify",
    access: "anyone",
    summary:
      "A proof-of-work challenge; its solution travels as `human`. `work` is how hard, where the refusal humanNeeded named it.",
    input: z.object({ work: z.int().min(0).max(3).default(0) }),
    output: z.record(z.string(), z.unknown()),
  }),
  sendCode: call({
    method: "POST",
    path: "/v1/base/sendCaptchaCode",
    access: "anyone",
    summary: "Sends a six-digit code to a phone or an e-mail address.",
    input: z.object({ account, countryCode, purpose: z.enum(codePurposes), human: challengeSolution }),
    output: z.object({ resendAfter: z.int() }),
  }),
  login: call({
    method: "POST",
    path: "/v1/base/login",
    access: "anyone",
    isSignIn: true,
    summary: "Signs in with a password; from an unknown device a code may be asked for as well.",
    input: z.object({
      account,
      countryCode,
      password: limited(accountRules.passwordMax).min(1, "passwordEmpty"),
      remember: z.boolean().default(false),
      human: challengeSolution,
      code: code.optional(),
    }),
    output: tokenOutput,
  }),
  loginByCode: call({
    method: "POST",
    path: "/v1/base/verLogin",
    access: "anyone",
    isSignIn: true,
    summary: "Signs in with a code that was sent.",
    input: z.object({ account, countryCode, code, remember: z.boolean().default(false), human: challengeSolution }),
    output: tokenOutput,
  }),
} as const;
