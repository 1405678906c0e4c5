import { z } from "zod";
import { call } from "../kernel/call.ts";
import { limited } from "../kernel/fields.ts";
import { factorCode, passkeyResponse, token, passkeyOptions } from "./factor.schema.ts";

export const secondStepCalls = {
  signIn: call({
    method: "POST",
    path: "/v1/base/secondStep",
    access: "anyone",
    isSignIn: true,
    summary: "The second step of a sign-in: a code of the authenticator app, a recovery code or a passkey.",
    input: z.object({ step: limited(200), code: factorCode.optional(), passkey: passkeyResponse.optional() }),
    output: token,
  }),
} as const;

export const factorKinds = ["totp", "passkey", "recovery"] as const;
/** The content of the refusal `factorNeeded`. */
export const factorNeeded = z.object({
  /** Represents the first step, which has succeeded. */
  step: z.string(),
  factors: z.array(z.enum(factorKinds)),
  passkey: passkeyOptions.nullable(),
});
export type FactorNeeded = z.output<typeof factorNeeded>;
