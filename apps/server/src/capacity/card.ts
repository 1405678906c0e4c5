import { randomInt } from "node:crypto";
import { keyedHash, newDigits } from "../kernel/ids.ts";
import { secret as instanceSecret } from "../kernel/services.ts";

// Without letters and figures that are read as one another (Crockford's base 32).
const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const secretLength = 16;

export interface NewCard {
  number: string;
  secret: string;
}
/** Eighty random bits behind a number that says nothing. */
export const newCard = (): NewCard => ({
  number: newDigits(12),
  secret: Array.from({ length: secretLength }, () => letters[randomInt(letters.length)]).join(""),
});

/** As it is printed. */
export const inFours = (text: string): string => text.replaceAll(/(.{4})(?=.)/g, "$1-");

export const plainNumber = (typed: string): string => typed.replaceAll(/\D/g, "");

/** What is typed from paper may lack its strokes, and O for 0 or l for 1 means what was printed. */
const plainSecret = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");

export const cardSecretHash = (number: string, secret: string): string =>
  keyedHash(instanceSecret(), "capacity card", number, plainSecret(secret));
