import type { CallName } from "../world.ts";
import { none, type Sample } from "./sample.ts";

const passkeyAnswer = { id: "AAAA", rawId: "AAAA", type: "public-key", response: {}, clientExtensionResults: {} };

export const factorSamples = {
  "factor.signIn": none({ step: "x", code: "123456" }),
  "factor.passkeyOptions": none(),
  "factor.passkeySignIn": none({ response: passkeyAnswer }),
  "factor.proofOptions": none(),
  "factor.prove": none({ password: "x" }),
  "factor.list": none(),
  "factor.totpStart": none(),
  "factor.totpConfirm": none({ code: "123456" }),
  "factor.totpRemove": none({ password: "x" }),
  "factor.recoveryRenew": none({ password: "x" }),
  "factor.passkeyStart": none(),
  "factor.passkeyAdd": none({ name: "Key", response: passkeyAnswer }),
  "factor.passkeyRemove": none({ id: "x", password: "x" }),
  "factor.passkeySecond": none({ on: true }),
  "factor.identityRemove": none({ issuer: "x", subject: "x" }),
} satisfies Partial<Record<CallName, Sample>>;
