import { randomBytes } from "node:crypto";
import type { ShareFactor } from "@arcada/contract/share/share.rules";
import { keyedHash } from "../platform/runtime/ids-and-secrets.ts";

/** 192 random bits, for the part of a link after the number sign. */
export const createLinkSecret = (): string => randomBytes(24).toString("base64url");

/** Hashes a visitor's second factor with the key of this instance: a stolen table does not reveal it. */
export const hashFactor = (key: string, share: string, factor: ShareFactor, given: string): string =>
  keyedHash(key, "share", share, factor, normaliseAnswer(factor, given));

/**
 * A six-digit code is only as secure as the random part of its hash, which is stored apart from the key and the
 * database.
 */
export const hashCode = (key: string, share: string, part: Buffer, given: string): string =>
  keyedHash(key, "share code", share, part.toString("hex"), normaliseAnswer("email", given));

/** Normalizes different spellings of the same answer. */
function normaliseAnswer(factor: ShareFactor, given: string): string {
  if (factor === "phone") return given.replace(/\D/g, "").slice(-4);
  if (factor === "birthDate" || factor === "email") return given.replace(/\D/g, "");
  return given.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}

/** A guest's address as shown in the log: the same code for the same link and address. */
export const hashAddress = (key: string, share: string, address: string): string =>
  keyedHash(key, "share address", share, address).slice(0, 8).toUpperCase();
