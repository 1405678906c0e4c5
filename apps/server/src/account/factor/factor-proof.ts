import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import type { ManualTransactionContext, AuthenticatedContext, Context } from "../../platform/http/request-context.ts";
import { audit } from "../../platform/audit/audit.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { refuse, refuseAndKeep } from "../../platform/http/refuse.ts";
import { decryptSecret } from "../../platform/security/encrypted-secret.ts";
import { secret } from "../../platform/runtime/services.ts";
import { deleteFailures } from "../sign-in/login-failure.store.ts";
import { rotateToken } from "../session/session.ts";
import { admitAttempt, evaluatePassword, lockPasswordHash, userKey } from "../sign-in/attempt-limiter.ts";
import {
  replaceRecoveryCodes,
  countRecoveryCodes,
  findTotp,
  spendRecoveryCode,
  spendTotpStep,
} from "./factor.store.ts";
import { verifyPasskey } from "./passkey.ts";
import { findTotpStep } from "./totp.ts";

/** Demands a code of the app or a recovery code. It is counted before it is checked: ten an hour, like passwords. */
export async function requireFactorCode(context: Context, uid: string, code: string): Promise<void> {
  const { db } = context;
  const key = `factor:${uid}`;
  await admitAttempt(context, key);
  const isValid = /^\d{6}$/.test(code) ? await verifyTotp(db, uid, code) : await verifyRecoveryCode(db, uid, code);
  if (!isValid) refuseAndKeep("factorWrong", { code: "factorWrong" });
  await deleteFailures(db, key);
}

export async function verifyTotp(db: Db, uid: string, code: string, confirmed = true): Promise<boolean> {
  const totp = await findTotp(db, uid);
  if (!totp || (totp.confirmed_at !== null) !== confirmed) return false;
  const step = findTotpStep(decryptSecret(secret(), uid, totp.sealed), code);
  return step !== null && spendTotpStep(db, uid, step);
}

const verifyRecoveryCode = (db: Db, uid: string, code: string): Promise<boolean> =>
  spendRecoveryCode(db, uid, secret(), code.toLowerCase().replace(/[^a-z0-9]/g, ""));

/**
 * Returns the recovery codes for a lost phone to a user who has just enabled a second factor, or nothing if there are
 * some already.
 */
export async function createFirstRecoveryCodes(db: Db, uid: string): Promise<string[]> {
  return (await countRecoveryCodes(db, uid)) > 0 ? [] : createRecoveryCodes(db, uid);
}
/** Creates recovery codes of more than 50 random bits each, from characters that are not mistaken for one another. */
export async function createRecoveryCodes(db: Db, uid: string): Promise<string[]> {
  const letters = "23456789abcdefghjkmnpqrstuvwxyz";
  const codes = Array.from({ length: factorRules.recoveryCodes }, () =>
    Array.from({ length: 11 }, () => letters[randomInt(letters.length)]).join(""),
  );
  await replaceRecoveryCodes(db, uid, secret(), codes);
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}

type Proof = {
  password?: string | undefined;
  code?: string | undefined;
  passkey?: object | undefined;
  mustShow?: true | undefined;
};

/**
 * Runs `then` once the user has presented the password or a code again: an unattended session must not make a sign-in
 * weaker.
 */
export async function withStepUpProof<T>(
  context: ManualTransactionContext<AuthenticatedContext>,
  proof: Proof,
  action: (context: AuthenticatedContext) => Promise<T>,
): Promise<T> {
  const { uid } = context.principal;
  const resume = (inside: AuthenticatedContext) => bypassTenantScope(inside.db, () => action(inside));
  if (proof.passkey)
    return context.inTransaction(async (inside) => {
      const isValid = await bypassTenantScope(inside.db, () => verifyPasskey(inside, uid, proof.passkey!));
      if (!isValid) refuseAndKeep("passkeyWrong");
      return resume(inside);
    });
  if (proof.code)
    return context.inTransaction(async (inside) => {
      await bypassTenantScope(inside.db, () => requireFactorCode(inside, uid, proof.code!));
      return resume(inside);
    });
  if (proof.password) return withVerifiedPassword(context, { password: proof.password, field: "password" }, resume);
  return context.inTransaction(async (inside) => {
    const nothingToShow = await bypassTenantScope(
      inside.db,
      async () =>
        !proof.mustShow &&
        (await lockPasswordHash(inside.db, uid)) === null &&
        !(await findTotp(inside.db, uid))?.confirmed_at &&
        (await countRecoveryCodes(inside.db, uid)) === 0,
    );
    if (!nothingToShow) refuse("badInput", { password: "passwordEmpty" });
    return resume(inside);
  });
}

/**
 * Does the same for adding a sign-in method; a recent sign-in is proof enough. An unattended session cannot add one.
 */
export async function withRecentProof<T>(
  context: ManualTransactionContext<AuthenticatedContext>,
  proof: Proof,
  action: (context: AuthenticatedContext) => Promise<T>,
): Promise<T> {
  const fresh = await context.inTransaction(({ db, principal }) =>
    bypassTenantScope(db, () => isRecentlyProven(db, principal.sessionId)),
  );
  return fresh
    ? context.inTransaction((inside) => bypassTenantScope(inside.db, () => action(inside)))
    : withStepUpProof(context, proof, action);
}

export async function isRecentlyProven(db: Db, sessionId: string): Promise<boolean> {
  const isFresh = sql<boolean>`greatest(chain_since, proven_at) > now() - make_interval(secs => ${factorRules.freshSeconds})`;
  const session = await db
    .selectFrom("session")
    .select(isFresh.as("fresh"))
    .where("id", "=", sessionId)
    .executeTakeFirst();
  return session?.fresh ?? false;
}

/**
 * Checks the user's own password: someone with a foreign session cannot guess it faster than at the sign-in. `then`
 * receives the hash that matched.
 */
export function withVerifiedPassword<T>(
  context: ManualTransactionContext<AuthenticatedContext>,
  attempt: { password: string; field: string },
  action: (context: AuthenticatedContext, hash: string | null) => Promise<T>,
): Promise<T> {
  const { uid } = context.principal;
  const key = userKey(uid);
  return evaluatePassword(
    context,
    key,
    attempt,
    (inside) =>
      bypassTenantScope(inside.db, async () => ({
        attempt: await admitAttempt(inside, key),
        hash: await lockPasswordHash(inside.db, uid),
      })),
    async (inside, { hash }) => {
      await bypassTenantScope(inside.db, () => deleteFailures(inside.db, key));
      return action(inside, hash);
    },
  );
}

/** Writes a change of the sign-in factors to the audit log and continues the session under a new token. */
export async function recordFactorChange(context: AuthenticatedContext, action: string): Promise<void> {
  const { db, principal, reply } = context;
  const token = await rotateToken(db, principal.sessionId);
  if (token) context.afterCommit.push(async () => void reply.header("new-token", token));
  await audit(db, {
    institution_id: null,
    user_id: principal.uid,
    action,
    address: context.address,
    request_id: context.requestId,
  });
}
