import { randomBytes, timingSafeEqual } from "node:crypto";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import type { Context } from "../../platform/http/request-context.ts";
import type { Db } from "../../platform/database/database.ts";
import { keyedHash, secretHash } from "../../platform/runtime/ids-and-secrets.ts";
import { secret } from "../../platform/runtime/services.ts";
import { publicOrigin } from "../session/cookie-names.ts";
import { spendOnce } from "../ticket.writes.ts";
import { findPasskey, recordPasskeyUse } from "./factor.store.ts";

// ES256, EdDSA and RS256: what authenticators in use sign with.
const algorithms = [-7, -8, -257];

// Loaded at the first passkey: its certificates and formats take 14 MB.
const loadLibrary = () => import("@simplewebauthn/server");

type Options = Record<string, unknown>;
interface StoredPasskey {
  id: string;
  transports: string[];
}

/** Returns the options that the browser needs to create a passkey for this user. */
export async function creationOptions(
  context: Context,
  user: { uid: string; account: string; name: string; passkeys: StoredPasskey[] },
): Promise<Options> {
  const { generateRegistrationOptions } = await loadLibrary();
  const options = await generateRegistrationOptions({
    rpName: "Arcada",
    rpID: new URL(publicOrigin(context.config, context.request)).hostname,
    userName: user.account,
    userDisplayName: user.name,
    userID: new Uint8Array(Buffer.from(user.uid)),
    challenge: createChallenge("make", user.uid),
    timeout: factorRules.challengeSeconds * 1000,
    attestationType: "none",
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: user.passkeys.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { ...options };
}

/**
 * Returns the options that the browser needs to present a passkey: one of this user's, or any that it holds for this
 * site.
 */
export async function authenticationOptions(
  context: Context,
  user: { uid: string; passkeys: StoredPasskey[] } | null,
): Promise<Options> {
  const { generateAuthenticationOptions } = await loadLibrary();
  const options = await generateAuthenticationOptions({
    rpID: new URL(publicOrigin(context.config, context.request)).hostname,
    ...(user && { allowCredentials: user.passkeys.map(({ id, transports }) => ({ id, transports })) }),
    challenge: createChallenge("show", user?.uid ?? ""),
    timeout: factorRules.challengeSeconds * 1000,
    userVerification: user ? "preferred" : "required",
  });
  return { ...options };
}

/** Returns the passkey that was created; null if it was not made just now for this user and this site. */
export async function verifyNewPasskey(context: Context, uid: string, response: object) {
  const origin = publicOrigin(context.config, context.request);
  const { verifyRegistrationResponse } = await loadLibrary();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: (challenge) => spendChallenge(context.db, "make", uid, challenge),
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) return null;
    const { credential } = registrationInfo;
    return { ...credential, transports: knownTransports(credential.transports) };
  } catch {
    // The library throws for every fault in input from outside.
    return null;
  }
}

// WebAuthn level 3, 5.8.4. The list is reported by the browser, and the library passes on everything in it.
const transports = ["ble", "hybrid", "internal", "nfc", "smart-card", "usb"];
const knownTransports = (reported: unknown): string[] =>
  Array.isArray(reported) ? transports.filter((transport) => reported.includes(transport)) : [];

/**
 * Returns the user whose passkey was presented; null if the passkey is unknown, wrong, late, already presented, or not
 * one of `uid`.
 */
export async function verifyPasskey(context: Context, uid: string | null, response: object): Promise<string | null> {
  const origin = publicOrigin(context.config, context.request);
  const presented = response as AuthenticationResponseJSON;
  const stored = await findPasskey(context.db, presented.id);
  if (!stored || (uid !== null && stored.user_id !== uid)) return null;
  const { verifyAuthenticationResponse } = await loadLibrary();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: presented,
      expectedChallenge: (challenge) => spendChallenge(context.db, "show", uid ?? "", challenge),
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      credential: {
        id: stored.id,
        publicKey: new Uint8Array(stored.public_key),
        counter: stored.counter,
      },
      // Without a user id the passkey replaces both steps, so it must verify its owner itself.
      requireUserVerification: uid === null,
    });
    return verified && (await recordPasskeyUse(context.db, stored.id, authenticationInfo.newCounter))
      ? stored.user_id
      : null;
  } catch {
    return null;
  }
}

/** Signs the challenge for its purpose, its user and five minutes, so that nothing is stored until it comes back. */
function createChallenge(purpose: string, uid: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.alloc(24);
  bytes.writeUIntBE(Math.floor(Date.now() / 1000) + factorRules.challengeSeconds, 0, 6);
  randomBytes(18).copy(bytes, 6);
  return new Uint8Array(Buffer.concat([bytes, challengeMac(purpose, uid, bytes)]));
}

async function spendChallenge(db: Db, purpose: string, uid: string, challenge: string): Promise<boolean> {
  const bytes = Buffer.from(challenge, "base64url");
  if (bytes.length !== 56 || bytes.readUIntBE(0, 6) < Date.now() / 1000) return false;
  if (!timingSafeEqual(bytes.subarray(24), challengeMac(purpose, uid, bytes.subarray(0, 24)))) return false;
  return spendOnce(db, {
    kind: "challenge",
    hash: secretHash(bytes.toString("base64url")),
    seconds: factorRules.challengeSeconds,
  });
}

const challengeMac = (purpose: string, uid: string, bytes: Buffer): Buffer =>
  Buffer.from(keyedHash(secret(), "challenge", purpose, uid, bytes.toString("hex")), "hex");
