import { accountRules } from "@arcada/contract/account/account.rules";
import type { ManualTransactionContext, Context } from "../../platform/http/request-context.ts";
import type { Database, Db } from "../../platform/database/database.ts";
import { refuse, refuseAndKeep } from "../../platform/http/refuse.ts";
import { secret } from "../../platform/runtime/services.ts";
import { secretHash } from "../../platform/runtime/ids-and-secrets.ts";
import { findUserByTarget } from "../account.store.ts";
import { countFailures, deleteFailure, deleteFailures, insertFailure, lockAttempts } from "./login-failure.store.ts";
import type { ContactTarget } from "../account.store.ts";
import { requireHumanCheck, difficultyFor } from "./human-check.ts";
import { limitedAddress } from "../../platform/security/address-for-limits.ts";
import { verifyPassword } from "../password/password-hash.ts";

/** An attempt that was admitted: it counts as failed until it has succeeded. */
export interface AdmittedAttempt {
  hash: string | null;
  attempt: number;
}

/**
 * Evaluates one password. The attempt is counted before the evaluation, in a separate transaction, and no database
 * connection is held meanwhile: parallel guesses, also to several processes, gain nothing, and many sign-ins at once
 * leave the database to the others. If the password is right, `action` has to delete the failures.
 */
export function evaluatePassword<C extends Context, A extends AdmittedAttempt, T>(
  context: ManualTransactionContext<C>,
  key: string,
  attempt: { password: string; field: string },
  admit: (context: C) => Promise<A>,
  action: (context: C, admitted: A) => Promise<T>,
): Promise<T> {
  return runInTurn(key, async () => {
    const admitted = await context.inTransaction(admit);
    const isValid = await verifyPassword(attempt.password, admitted.hash).catch((error: unknown) =>
      returnAttempt(context.database, admitted, error),
    );
    if (!isValid) refuse("wrongPassword", { [attempt.field]: "wrongPassword" });
    return context.inTransaction((inside) => action(inside, admitted));
  });
}

const returnAttempt = async (database: Database, { attempt }: AdmittedAttempt, error: unknown): Promise<never> => {
  await database.asSystem((db) => deleteFailure(db, attempt));
  throw error;
};

const queues = new Map<string, Promise<unknown>>();
/** Within this process the attempts of one account queue up here, and not at the database. */
async function runInTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const current = (queues.get(key) ?? Promise.resolve()).then(work, work);
  queues.set(key, current);
  try {
    return await current;
  } finally {
    if (queues.get(key) === current) queues.delete(key);
  }
}

/** Counts an attempt at `key` before it is made; refuses it if there were too many. */
export async function admitAttempt({ db, address }: Context, key: string): Promise<number> {
  await lockAttempts(db, key);
  const failed = await countFailures(db, key, address);
  if (failed.hour >= accountRules.evaluatedPerHour) refuse("loginDelayed");
  return insertFailure(db, key, address);
}

interface SignInAttempt {
  /** The browser, if the account knows it. */
  device: string | null;
  human: string | undefined;
  /** Demands the code that was sent to the owner. */
  demandCode: () => Promise<void>;
}
/**
 * Does the same for a password at sign-in, where other users must not lock the owner out. A browser that the account
 * knows has its own counter, and counts as unknown once it has used up its attempts. Unknown browsers share one
 * counter: they are never refused, but need ever more proof of work, and beyond what an owner could need also a code
 * from the owner's mailbox.
 */
export async function admitPasswordAttempt(
  context: Context,
  key: string,
  signInAttempt: SignInAttempt,
): Promise<number> {
  const { db, address } = context;
  if (signInAttempt.device !== null) {
    const own = deviceKey(key, signInAttempt.device);
    await lockAttempts(db, own);
    const failed = await countFailures(db, own, address);
    if (failed.hour < accountRules.evaluatedPerHour) {
      if (failed.account >= accountRules.humanAfterFailures) await requireHumanCheck(db, secret(), signInAttempt.human);
      return insertFailure(db, own, address);
    }
  }
  await lockAttempts(db, key);
  const failed = await countFailures(db, key, address);
  const work = difficultyFor(failed.hour);
  if (
    work > 0 ||
    failed.account >= accountRules.humanAfterFailures ||
    failed.address >= accountRules.failuresPerAddress
  )
    await requireHumanCheck(db, secret(), signInAttempt.human, work);
  if (failed.hour >= accountRules.strangersPerHour) await signInAttempt.demandCode();
  return insertFailure(db, key, address);
}

/**
 * Deletes the failures of a user who has signed in. Those of unknown browsers stay; otherwise each sign-in of the owner
 * would allow them ten more.
 */
export async function deleteOwnFailures({ db, address }: Context, key: string, device: string | null): Promise<void> {
  if (device !== null) await deleteFailures(db, deviceKey(key, device));
  await deleteFailures(db, key, address);
}
const deviceKey = (key: string, device: string): string => `${key} ${secretHash(device)}`;

/**
 * Returns the account for a sign-in. A client that requests many accounts that do not exist must work for each, also
 * for those that do.
 */
export async function requireAccount(context: Context, target: ContactTarget, human: string | undefined) {
  await requireFewFailures(context, human);
  return (await findUserByTarget(context.db, target)) ?? refuseUnknownAccount(context);
}

/** Counts the failure for the address, because no account is involved. */
export async function refuseUnknownAccount({ db, address }: Context): Promise<never> {
  await insertFailure(db, addressKey(address), address);
  return refuseAndKeep("accountUnknown");
}

/** Demands a human check after many failures from this address. */
export async function requireFewFailures({ db, address }: Context, human: string | undefined): Promise<void> {
  await lockAttempts(db, addressKey(address));
  const failed = await countFailures(db, addressKey(address), address);
  if (failed.address >= accountRules.failuresPerAddress) await requireHumanCheck(db, secret(), human);
}
const addressKey = (address: string): string => `address:${limitedAddress(address)}`;

/** Returns the key under which the proofs of a signed-in user are counted. */
export const userKey = (uid: string): string => `user:${uid}`;

/**
 * Returns the password's hash and locks the user until the transaction ends: a reset waits, and then finds the session
 * that was started with it.
 */
export const lockPasswordHash = async (db: Db, uid: string): Promise<string | null> =>
  (await db.selectFrom("users").select("password_hash").where("id", "=", uid).forShare().executeTakeFirstOrThrow())
    .password_hash;
