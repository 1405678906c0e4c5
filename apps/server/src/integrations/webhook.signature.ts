import { createHmac, randomBytes } from "node:crypto";
import { secret } from "../platform/runtime/services.ts";
import { encryptSecret, decryptSecret } from "../platform/security/encrypted-secret.ts";

// https://www.standardwebhooks.com: the key in base64 behind its prefix, the signature behind its version.
const prefix = "whsec_";

export const createWebhookSecret = (): string => `${prefix}${randomBytes(32).toString("base64")}`;
export const encryptWebhookSecret = (webhook: string, plain: string): string =>
  encryptSecret(secret(), webhook, Buffer.from(plain));
export const decryptWebhookSecret = (webhook: string, encrypted: string): string =>
  decryptSecret(secret(), webhook, encrypted).toString();

/** The value of the `webhook-signature` header: one signature for each valid secret. */
export const buildSignatures = (
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string =>
  secrets
    .map((one) => createHmac("sha256", Buffer.from(one.slice(prefix.length), "base64")))
    .map((hmac) => `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest("base64")}`)
    .join(" ");
