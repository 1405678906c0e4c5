import { z } from "zod";
import { accountRules } from "../account/account.rules.ts";
import { call } from "../kernel/call.ts";
import { instant, limited, emptyObject, nullOutput, boundedRecord, required, text } from "../kernel/fields.ts";
import { factorRules } from "./factor.rules.ts";

const totpCode = limited(6, "codeShape").regex(/^\d{6}$/, "codeShape");
/** Six digits of the authenticator app, or a recovery code. */
const factorCode = text(40).min(1, "codeEmpty");
/** The input and output of a browser's passkey dialog, in the JSON form of WebAuthn. */
const passkeyOptions = z.record(z.string(), z.unknown());
export const passkeyResponse = z.looseObject({
  id: limited(2000),
  rawId: limited(2000),
  type: z.literal("public-key"),
  response: boundedRecord(limited(200), z.unknown(), 50),
  clientExtensionResults: boundedRecord(limited(200), z.unknown(), 50).default({}),
});
/**
 * A proof of identity. It is required again to weaken a sign-in, or to add a sign-in method a while after signing in.
 */
const proof = z.object({
  password: limited(accountRules.passwordMax).optional(),
  code: factorCode.optional(),
});
const token = z.object({ token: z.string() });
/** Shown once; empty where the account has its codes already. */
const recovery = z.object({ recovery: z.array(z.string()) });

export const factorKinds = ["totp", "passkey", "recovery"] as const;
/** The content of the refusal `factorNeeded`. */
export const factorNeeded = z.object({
  /** Represents the first step, which has succeeded. */
  step: z.string(),
  factors: z.array(z.enum(factorKinds)),
  passkey: passkeyOptions.nullable(),
});
export type FactorNeeded = z.output<typeof factorNeeded>;

export const factorCalls = {
  signIn: call({
    method: "POST",
    path: "/v1/base/secondStep",
    access: "anyone",
    isSignIn: true,
    summary: "The second step of a sign-in: a code of the authenticator app, a recovery code or a passkey.",
    input: z.object({ step: limited(200), code: factorCode.optional(), passkey: passkeyResponse.optional() }),
    output: token,
  }),
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
  identityRemove: call({
    method: "POST",
    path: "/v1/factor/identityRemove",
    access: "signedIn",
    summary: "Unlinks the account of another house.",
    input: z.object({ issuer: limited(500), subject: limited(500) }),
    output: nullOutput,
  }),
} as const;
