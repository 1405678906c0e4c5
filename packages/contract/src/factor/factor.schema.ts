import { z } from "zod";
import { limited, boundedRecord, text } from "../kernel/fields.ts";

/** Six digits of the authenticator app, or a recovery code. */
export const factorCode = text(40).min(1, "codeEmpty");
/** The input and output of a browser's passkey dialog, in the JSON form of WebAuthn. */
export const passkeyOptions = z.record(z.string(), z.unknown());
export const passkeyResponse = z.looseObject({
  id: limited(2000),
  rawId: limited(2000),
  type: z.literal("public-key"),
  response: boundedRecord(limited(200), z.unknown(), 50),
  clientExtensionResults: boundedRecord(limited(200), z.unknown(), 50).default({}),
});

export const token = z.object({ token: z.string() });
