import { randomInt } from "node:crypto";
import { keyedHash, newDigits } from "../platform/runtime/ids-and-secrets.ts";
import { secret as instanceSecret } from "../platform/runtime/services.ts";

// The alphabet leaves out letters and digits that are mistaken for one another (Crockford's base 32).
const secretAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const secretLength = 16;

export interface NewCard {
  number: string;
  secret: string;
}
/** Makes a card with 80 random bits and a number that reveals nothing. */
export const createCard = (): NewCard => ({
  number: newDigits(12),
  secret: Array.from({ length: secretLength }, () => secretAlphabet[randomInt(secretAlphabet.length)]).join(""),
});

/** Formats a text as it is printed. */
export const groupByFour = (text: string): string => text.replaceAll(/(.{4})(?=.)/g, "$1-");

export const normaliseNumber = (typed: string): string => typed.replaceAll(/\D/g, "");

/** Normalises a secret that was typed from paper: the dashes may be missing, O is read as 0, and I or L as 1. */
const normaliseSecret = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");

export const hashCardSecret = (number: string, secret: string): string =>
  keyedHash(instanceSecret(), "capacity card", number, normaliseSecret(secret));
