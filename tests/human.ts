import { solveChallenge } from "altcha-lib";
import type { Challenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";

/** The solved proof-of-work that a person's browser sends along; `challenge` as `account.humanChallenge` answers it. */
export async function solveHumanCheck(challenge: object): Promise<string> {
  const solution = await solveChallenge({ challenge: challenge as Challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}

export const goodPassword = "correct-horse-7-battery";
