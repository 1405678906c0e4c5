import { z } from "zod";
import { call } from "../kernel/call.ts";
import { limited, emptyObject } from "../kernel/fields.ts";
import { tokenOutput } from "./account.schema.ts";
import { accountRules } from "./account.rules.ts";

export const exchangeCode = z.object({ code: z.string(), expiresIn: z.int() });

export const exchangeCodeCalls = {
  exchange: call({
    method: "POST",
    path: "/v1/base/exchange",
    access: "anyone",
    isSignIn: true,
    summary: "Trades a single-use exchange code for a session.",
    input: z.object({ code: limited(200) }),
    output: tokenOutput,
  }),
  exchangeCode: call({
    method: "POST",
    path: "/v1/base/exchangeCode",
    access: "signedIn",
    summary: `Makes a single-use code, good for ${accountRules.exchangeSeconds} seconds, that opens this product as \`?token=\` for the person who asks.`,
    input: emptyObject,
    output: exchangeCode,
  }),
} as const;
