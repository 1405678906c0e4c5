import { randomInt } from "node:crypto";
import { createChallenge, verifySolution } from "altcha-lib";
import type { Payload } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { accountRules } from "@arcada/contract/account/account.rules";
import { secretHash } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { spendOnce } from "../ticket.writes.ts";
import type { Db } from "../../platform/database/database.ts";

const seconds = 600;

/**
 * The cost of each level, in key derivations of so many iterations. The default level needs some hundred derivations,
 * well under a second on a phone. The harder levels draw their number, so that the longest wait is known: 1, 4 and 10
 * seconds of one desktop core.
 */
const levels = [null, { cost: 1000, most: 4000 }, { cost: 2000, most: 8000 }, { cost: 4000, most: 10_000 }] as const;

/** Returns the difficulty level of the next attempt after so many attempts by unknown browsers. */
export const difficultyFor = (attempts: number): number =>
  Math.min(Math.floor(attempts / accountRules.freeAttempts), levels.length - 1);

/** A proof-of-work challenge. */
export const createHumanChallenge = (key: string, difficulty: number) => {
  const level = levels[difficulty] ?? null;
  return createChallenge({
    algorithm: "PBKDF2/SHA-256",
    cost: level?.cost ?? 1000,
    ...(level && { counter: randomInt(level.most / 2, level.most) }),
    data: { work: difficulty },
    deriveKey,
    expiresAt: Math.floor(Date.now() / 1000) + seconds,
    hmacSignatureSecret: key,
  });
};

/** Refuses a solution that is wrong, late, too easy or was used before. */
export async function requireHumanCheck(db: Db, key: string, human: string | undefined, difficulty = 0): Promise<void> {
  const needed = difficulty > 0 ? { work: String(difficulty) } : null;
  if (!human) refuse("humanNeeded", needed);
  const payload = parsePayload(human);
  // The library trusts the payload's shape; a payload of another shape counts as a wrong solution.
  const verified = await verifySolution({ ...payload, deriveKey, hmacSignatureSecret: key }).then(
    (result) => result.verified,
    () => false,
  );
  if (!verified) refuse("humanWrong", { human: "humanWrong" });
  // The data of the challenge is covered by its signature.
  if (Number(payload.challenge.parameters.data?.["work"] ?? 0) < difficulty) refuse("humanNeeded", needed);
  const first = await spendOnce(db, { kind: "human", hash: secretHash(String(payload.challenge.signature)), seconds });
  if (!first) refuse("humanWrong", { human: "humanWrong" });
}

function parsePayload(human: string): Payload {
  try {
    return JSON.parse(Buffer.from(human, "base64").toString("utf8")) as Payload;
  } catch {
    return refuse("humanWrong", { human: "humanWrong" });
  }
}
