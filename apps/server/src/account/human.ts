import { createChallenge, verifySolution } from "altcha-lib";
import type { Payload } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { secretHash } from "../kernel/ids.ts";
import { refuse } from "../kernel/refuse.ts";
import { spendOnce } from "./account.store.ts";
import type { Db } from "../kernel/db.ts";

const seconds = 600;

/** A proof-of-work challenge: some hundred key derivations, well under a second on a phone. */
export const humanChallenge = (key: string) =>
  createChallenge({
    algorithm: "PBKDF2/SHA-256",
    cost: 1000,
    deriveKey,
    expiresAt: Math.floor(Date.now() / 1000) + seconds,
    hmacSignatureSecret: key,
  });

/** Refuses a solution that is wrong, late or was used before. */
export async function demandHuman(db: Db, key: string, human: string | undefined): Promise<void> {
  if (!human) refuse("humanNeeded");
  const payload = read(human);
  // The library trusts the payload's shape; what is not of it is as wrong as a wrong solution.
  const verified = await verifySolution({ ...payload, deriveKey, hmacSignatureSecret: key }).then(
    (result) => result.verified,
    () => false,
  );
  if (!verified) refuse("humanWrong", { human: "humanWrong" });
  const first = await spendOnce(db, { kind: "human", hash: secretHash(String(payload.challenge.signature)), seconds });
  if (!first) refuse("humanWrong", { human: "humanWrong" });
}

function read(human: string): Payload {
  try {
    return JSON.parse(Buffer.from(human, "base64").toString("utf8")) as Payload;
  } catch {
    return refuse("humanWrong", { human: "humanWrong" });
  }
}
