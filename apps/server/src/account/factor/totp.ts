import { Secret, TOTP } from "otpauth";
import { factorRules } from "@arcada/contract/factor/factor.rules";

const shape = { algorithm: "SHA1", digits: factorRules.totpDigits, period: factorRules.totpSeconds } as const;

/** A new secret of 160 bits (RFC 4226, section 4, R6). */
export const newTotpSecret = (): Uint8Array => new Secret({ size: 20 }).bytes;

/** Returns the secret as people type it, and the address that an authenticator app reads from a QR code. */
export function describeTotp(secret: Uint8Array, account: string): { secret: string; uri: string } {
  const totp = new TOTP({ ...shape, issuer: "Arcada", label: account, secret: toSecret(secret) });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** Returns the step (RFC 6238, section 4.2) to which this code belongs; null if it belongs to none nearby. */
export function findTotpStep(secret: Uint8Array, code: string, now = Date.now()): number | null {
  const offset = new TOTP({ ...shape, secret: toSecret(secret) }).validate({
    token: code,
    timestamp: now,
    window: factorRules.totpSlack,
  });
  return offset === null ? null : Math.floor(now / 1000 / factorRules.totpSeconds) + offset;
}

const toSecret = (bytes: Uint8Array): Secret => new Secret({ buffer: new Uint8Array(bytes).buffer });
