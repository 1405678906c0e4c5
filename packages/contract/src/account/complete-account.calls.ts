import { z } from "zod";
import { call } from "../kernel/call.ts";
import { email, nullOutput, text } from "../kernel/fields.ts";
import { nation } from "./account.schema.ts";

/** To the terms and the privacy policy; needed from who has not agreed yet. */
const agreesToTerms = z.boolean().optional();

export const completeAccountCalls = {
  initSelfInfo: call({
    method: "POST",
    path: "/v1/user/initSelfInfo",
    access: "signedIn",
    summary: "Completes a personal account: its bound e-mail address, the name, and the country if it has none yet.",
    isIdempotent: true,
    input: z.object({
      email: email(120),
      /** Needed while the account has no country. */
      nation: nation.optional(),
      userName: text(60).min(1, "nameNeeded"),
      agree: agreesToTerms,
    }),
    output: nullOutput,
  }),
  initStudyInfo: call({
    method: "POST",
    path: "/v1/user/initStudyInfo",
    access: "signedIn",
    summary: "Completes an account that was made for an organisation: the country, and what it is called.",
    isIdempotent: true,
    input: z.object({ nation, name: text(120).optional(), agree: agreesToTerms }),
    output: nullOutput,
  }),
} as const;
