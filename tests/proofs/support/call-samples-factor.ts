import type { CallName } from "@arcada/testing/setup/test-server";
import { withoutRecord, type CallSample } from "./call-sample.ts";

const passkeyResponse = { id: "AAAA", rawId: "AAAA", type: "public-key", response: {}, clientExtensionResults: {} };

export const factorCallSamples = {
  "account.openSetup": withoutRecord({ link: "x" }),
  "account.finishSetup": withoutRecord({
    link: "x",
    email: "nobody@clinic.test",
    name: "Nobody",
    password: "a-fine-password-1",
    confirm: "a-fine-password-1",
  }),
  "factor.signIn": withoutRecord({ step: "x", code: "123456" }),
  "factor.passkeyOptions": withoutRecord(),
  "factor.passkeySignIn": withoutRecord({ response: passkeyResponse }),
  "factor.proofOptions": withoutRecord(),
  "factor.prove": withoutRecord({ password: "x" }),
  "factor.list": withoutRecord(),
  "factor.totpStart": withoutRecord(),
  "factor.totpConfirm": withoutRecord({ code: "123456" }),
  "factor.totpRemove": withoutRecord({ password: "x" }),
  "factor.recoveryRenew": withoutRecord({ password: "x" }),
  "factor.passkeyStart": withoutRecord(),
  "factor.passkeyAdd": withoutRecord({ name: "Key", response: passkeyResponse }),
  "factor.passkeyRemove": withoutRecord({ id: "x", password: "x" }),
  "factor.passkeySecond": withoutRecord({ on: true }),
  "factor.identityRemove": withoutRecord({ issuer: "x", subject: "x" }),
} satisfies Partial<Record<CallName, CallSample>>;
