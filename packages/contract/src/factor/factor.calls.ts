import { z } from "zod";
import { accountRules } from "../account/account.rules.ts";
import { call } from "../kernel/call.ts";
import { instant, limited, emptyObject, nullOutput, required } from "../kernel/fields.ts";
import { factorRules } from "./factor.rules.ts";
import { factorCode, passkeyOptions, passkeyResponse } from "./factor.schema.ts";

const totpCode = limited(6, "codeShape").regex(/^\d{6}$/, "codeShape");
/**
 * A proof of identity. It is required again to weaken a sign-in, or to add a sign-in method a while after signing in.
 */
const proof = z.object({
  password: limited(accountRules.passwordMax).optional(),
  code: factorCode.optional(),
});
/** Shown once; empty where the account has its codes already. */
const recovery = z.object({ recovery: z.array(z.string()) });

export const factorCalls = {
  proofOptions: call({
    method: "POST",
    path: "/v1/factor/proofOptions",
    access: "signedIn",
    summary: "What the browser's passkey dialog needs to show once more whose session this is.",
    input: emptyObject,
    output: passkeyOptions,
  }),
  prove: call({
    method: "POST",
    path: "/v1/factor/prove",
    access: "signedIn",
    summary: "Shows once more whose session this is; for fifteen minutes nothing asks for it again.",
    input: proof.extend({ passkey: passkeyResponse.optional() }),
    output: nullOutput,
  }),
  list: call({
    method: "GET",
    path: "/v1/factor/list",
    access: "signedIn",
    summary: "How this user signs in besides the password.",
    input: emptyObject,
    output: z.object({
      hasPassword: z.boolean(),
      /** An institution of the user requires two steps. */
      required: z.boolean(),
      /** Signed in so lately that adding a way in needs no proof. */
      fresh: z.boolean(),
      totp: z.boolean(),
      passkeySecond: z.boolean(),
      recoveryLeft: z.int(),
      passkeys: z.array(z.object({ id: z.string(), name: z.string(), madeAt: instant, usedAt: instant.nullable() })),
      identities: z.array(
        z.object({ issuer: z.string(), subject: z.string(), label: z.string(), email: z.string(), linkedAt: instant }),
      ),
    }),
  }),
  totpStart: call({
    method: "POST",
    path: "/v1/factor/totpStart",
    access: "signedIn",
    summary: "A new secret for an authenticator app; it counts when a code of it was shown.",
    input: proof,
    output: z.object({ secret: z.string(), uri: z.string() }),
  }),
  totpConfirm: call({
    method: "POST",
    path: "/v1/factor/totpConfirm",
    access: "signedIn",
    summary: "Switches the authenticator app on by its first code.",
    input: z.object({ code: totpCode }),
    output: recovery,
  }),
  totpRemove: call({
    method: "POST",
    path: "/v1/factor/totpRemove",
    access: "signedIn",
    summary: "Switches the authenticator app off.",
    input: proof,
    output: nullOutput,
  }),
  recoveryRenew: call({
    method: "POST",
    path: "/v1/factor/recoveryRenew",
    access: "signedIn",
    summary: "Ten new recovery codes; the old ones are worth nothing any more.",
    input: proof,
    output: recovery,
  }),
  passkeyStart: call({
    method: "POST",
    path: "/v1/factor/passkeyStart",
    access: "signedIn",
    summary: "What the browser's dialog needs to make a passkey.",
    input: proof,
    output: passkeyOptions,
  }),
  passkeyAdd: call({
    method: "POST",
    path: "/v1/factor/passkeyAdd",
    access: "signedIn",
    summary:
      "Keeps a passkey that was made; where an organisation wants two steps, it is asked for after the password from now on.",
    input: z.object({ name: required(factorRules.passkeyName), response: passkeyResponse }),
    output: recovery,
  }),
  passkeyRemove: call({
    method: "POST",
    path: "/v1/factor/passkeyRemove",
    access: "signedIn",
    summary: "Forgets a passkey.",
    input: proof.extend({ id: limited(2000) }),
    output: nullOutput,
  }),
  passkeySecond: call({
    method: "POST",
    path: "/v1/factor/passkeySecond",
    access: "signedIn",
    summary: "Whether a passkey is asked for after the password.",
    input: proof.extend({ on: z.boolean() }),
    output: recovery,
  }),
} as const;
