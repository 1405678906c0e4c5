import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from "node:crypto";

/**
 * A number of rows and the hash of the last of them: anyone who knows it notices if the audit log is cut or sealed
 * again.
 */
export interface ChainHead {
  rows: number;
  hash: string;
}

/** The key that seals the audit log. `id` identifies the key and reveals nothing of it. */
export interface AuditKey {
  id: string;
  sign(purpose: "row" | "epoch" | "anchor" | "gap", values: readonly unknown[]): string;
}

/** Derives the key from SECRET_KEY (HKDF, RFC 5869), for this purpose alone. */
export function deriveAuditKey(secret: string): AuditKey {
  const key = createSecretKey(new Uint8Array(hkdfSync("sha256", secret, "", "arcada audit trail", 32)));
  const mac = (values: readonly unknown[]) =>
    createHmac("sha256", key).update(JSON.stringify(values)).digest("base64url");
  return { id: mac(["id"]).slice(0, 12), sign: (purpose, values) => mac([purpose, ...values]) };
}

export const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
