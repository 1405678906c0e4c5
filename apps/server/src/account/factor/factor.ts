import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import type { ManualTransactionContext, AuthenticatedContext, Context } from "../../platform/http/request-context.ts";
import { audit } from "../../platform/audit/audit.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { refuse, refuseAndKeep } from "../../platform/http/refuse.ts";
import { unseal } from "../../platform/security/encrypted-secret.ts";
import { secret } from "../../platform/runtime/services.ts";
import { forgetFailures } from "../account.store.ts";
import { rotate } from "../session.ts";
import { admitTry, evaluate, passwordOf, userKey } from "../tries.ts";
import { keepRecoveryCodes, recoveryLeft, totpOf, spendRecoveryCode, spendTotpStep } from "./factor.store.ts";
import { shownPasskey } from "./passkey.ts";
import { stepOf } from "./totp.ts";

/** Demands a code of the app or a recovery code. It is counted before it is checked: ten an hour, like passwords. */
export async function demandFactorCode(context: Context, uid: string, code: string): Promise<void> {
  const { db } = context;
  const key = `factor:${uid}`;
  await admitTry(context, key);
  const fits = /^\d{6}$/.test(code) ? await totpFits(db, uid, code) : await recoveryFits(db, uid, code);
  if (!fits) refuseAndKeep("factorWrong", { code: "factorWrong" });
  await forgetFailures(db, key);
}

export async function totpFits(db: Db, uid: string, code: string, confirmed = true): Promise<boolean> {
  const totp = await totpOf(db, uid);
  if (!totp || (totp.confirmed_at !== null) !== confirmed) return false;
  const step = stepOf(unseal(secret(), uid, totp.sealed), code);
  return step !== null && spendTotpStep(db, uid, step);
}

const recoveryFits = (db: Db, uid: string, code: string): Promise<boolean> =>
  spendRecoveryCode(db, uid, secret(), code.toLowerCase().replace(/[^a-z0-9]/g, ""));

/**
 * Returns the recovery codes for a lost phone to a user who has just enabled a second factor, or nothing if there are
 * some already.
 */
export async function firstRecoveryCodes(db: Db, uid: string): Promise<string[]> {
  return (await recoveryLeft(db, uid)) > 0 ? [] : newRecoveryCodes(db, uid);
}
/**
 * Creates recovery codes of more than 50 random bits each, in letters and digits that are not mistaken for one another.
 */
export async function newRecoveryCodes(db: Db, uid: string): Promise<string[]> {
  const letters = "23456789abcdefghjkmnpqrstuvwxyz";
  const codes = Array.from({ length: factorRules.recoveryCodes }, () =>
    Array.from({ length: 11 }, () => letters[randomInt(letters.length)]).join(""),
  );
  await keepRecoveryCodes(db, uid, secret(), codes);
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
export async function proven<T>(
  context: ManualTransactionContext<AuthenticatedContext>,
  proof: Proof,
  then: (context: AuthenticatedContext) => Promise<T>,
): Promise<T> {
  const { uid } = context.asker;
  const goOn = (inside: AuthenticatedContext) => bypassTenantScope(inside.db, () => then(inside));
  if (proof.passkey)
    return context.inTransaction(async (inside) => {
      const fits = await bypassTenantScope(inside.db, () => shownPasskey(inside, uid, proof.passkey!));
      if (!fits) refuseAndKeep("passkeyWrong");
      return goOn(inside);
    });
  if (proof.code)
    return context.inTransaction(async (inside) => {
      await bypassTenantScope(inside.db, () => demandFactorCode(inside, uid, proof.code!));
      return goOn(inside);
    });
  if (proof.password) return withPassword(context, { password: proof.password, field: "password" }, goOn);
  return context.inTransaction(async (inside) => {
    const nothingToShow = await bypassTenantScope(
      inside.db,
      async () =>
        !proof.mustShow &&
        (await passwordOf(inside.db, uid)) === null &&
        !(await totpOf(inside.db, uid))?.confirmed_at &&
        (await recoveryLeft(inside.db, uid)) === 0,
    );
    if (!nothingToShow) refuse("badInput", { password: "passwordEmpty" });
    return goOn(inside);
  });
}

/**
 * Does the same for adding a sign-in method; a recent sign-in is proof enough. An unattended session cannot add one.
 */
export async function provenLately<T>(
  context: ManualTransactionContext<AuthenticatedContext>,
  proof: Proof,
  then: (context: AuthenticatedContext) => Promise<T>,
): Promise<T> {
  const fresh = await context.inTransaction(({ db, asker }) =>
    bypassTenantScope(db, () => isFresh(db, asker.sessionId)),
  );
  return fresh
    ? context.inTransaction((inside) => bypassTenantScope(inside.db, () => then(inside)))
    : proven(context, proof, then);
}

export async function isFresh(db: Db, sessionId: string): Promise<boolean> {
  const found = await sql<{
    fresh: boolean;
  }>`select greatest(chain_since, proven_at) > now() - make_interval(secs => ${factorRules.freshSeconds})
    as fresh from session where id = ${sessionId}`.execute(db);
  return found.rows[0]?.fresh ?? false;
}

/**
 * Checks the user's own password: someone with a foreign session cannot guess it faster than at the sign-in. `then`
 * receives the hash that matched.
 */
export function withPassword<T>(
  context: ManualTransactionContext<AuthenticatedContext>,
  tried: { password: string; field: string },
  then: (context: AuthenticatedContext, hash: string | null) => Promise<T>,
): Promise<T> {
  const { uid } = context.asker;
  const key = userKey(uid);
  return evaluate(
    context,
    key,
    tried,
    (inside) =>
      bypassTenantScope(inside.db, async () => ({
        attempt: await admitTry(inside, key),
        hash: await passwordOf(inside.db, uid),
      })),
    async (inside, { hash }) => {
      await bypassTenantScope(inside.db, () => forgetFailures(inside.db, key));
      return then(inside, hash);
    },
  );
}

/** Writes a change of the sign-in factors to the audit log and continues the session under a new token. */
export async function factorChanged(context: AuthenticatedContext, action: string): Promise<void> {
  const { db, asker, reply } = context;
  const token = await rotate(db, asker.sessionId);
  if (token) context.afterCommit.push(async () => void reply.header("new-token", token));
  await audit(db, {
    institution_id: null,
    user_id: asker.uid,
    action,
    address: context.address,
    request_id: context.requestId,
  });
}
