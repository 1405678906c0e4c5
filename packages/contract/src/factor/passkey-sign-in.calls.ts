import { z } from "zod";
import { call } from "../kernel/call.ts";
import { emptyObject } from "../kernel/fields.ts";
import { passkeyOptions, passkeyResponse, token } from "./factor.schema.ts";

export const passkeySignInCalls = {
  passkeyOptions: call({
    method: "POST",
    path: "/v1/base/passkeyOptions",
    access: "anyone",
    summary: "What the browser's passkey dialog needs to sign somebody in.",
    input: emptyObject,
    output: passkeyOptions,
  }),
  passkeySignIn: call({
    method: "POST",
    path: "/v1/base/passkeySignIn",
    access: "anyone",
    isSignIn: true,
    summary: "Signs in with a passkey alone; it has checked its owner itself.",
    input: z.object({ response: passkeyResponse, remember: z.boolean().default(false) }),
    output: token,
  }),
} as const;
