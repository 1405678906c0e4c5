import { z } from "zod";
import { call } from "../kernel/call.ts";
import { limited, text } from "../kernel/fields.ts";
import {
  account,
  code,
  countryCode,
  password,
  passwordConfirmation,
  passwordsMatch,
  passwordMismatch,
  tokenOutput,
} from "./account.schema.ts";
import { intendedRoles } from "./user-info.schema.ts";

export const registrationCalls = {
  registerVerify: call({
    method: "POST",
    path: "/v1/base/registerVerify",
    access: "anyone",
    summary: "Checks the code of a registration and answers with the ticket that registering needs.",
    input: z.object({ account, countryCode, code }),
    output: z.object({ ticket: z.string(), registered: z.boolean() }),
  }),
  register: call({
    method: "POST",
    path: "/v1/base/register",
    access: "anyone",
    summary: "Makes an account.",
    input: z
      .object({
        ticket: limited(200),
        password,
        confirm: passwordConfirmation,
        intendedRole: z.enum(intendedRoles),
        agree: z.literal(true, "agreeNeeded"),
        /** Needed for a phone number; an account with an e-mail address gets no text messages. */
        agreeSms: z.boolean().optional(),
        nickName: text(60).optional(),
      })
      .refine(passwordsMatch, passwordMismatch),
    output: tokenOutput,
  }),
} as const;
