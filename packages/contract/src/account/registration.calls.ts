import { z } from "zod";
import { call } from "../kernel/call.ts";
import { limited, text } from "../kernel/fields.ts";
import {
  account,
  code,
  countryCode,
  nation,
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
  join: call({
    method: "POST",
    path: "/v1/base/join",
    access: "anyone",
    summary:
      "Makes an account for an invited address and accepts the invitation: the secret of its email proves the address, and the invitation knows the role.",
    input: z.object({
      code: limited(200).min(1),
      password,
      agree: z.literal(true, "agreeNeeded"),
      /** Needed where the invitation names nobody. */
      nickName: text(60).optional(),
    }),
    output: tokenOutput,
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
        nickName: text(60).min(1, "nameNeeded"),
        nation,
      })
      .refine(passwordsMatch, passwordMismatch),
    output: tokenOutput,
  }),
} as const;
