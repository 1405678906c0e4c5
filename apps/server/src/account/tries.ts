import { accountRules } from "@arcada/contract/account/account.rules";
import type { ManualTransactionContext, Context } from "../platform/http/request-context.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { refuse, refuseAndKeep } from "../platform/http/refuse.ts";
import { secret } from "../platform/runtime/services.ts";
import { secretHash } from "../platform/runtime/ids.ts";
import {
  failures,
  forgetFailure,
  forgetFailures,
  insertFailure,
  limitedAddress,
  lockTries,
  userByTarget,
} from "./account.store.ts";
import type { Target } from "./account.store.ts";
import { demandHuman, workFor } from "./human.ts";
import { passwordFits } from "./password.ts";

/** An attempt that was admitted: it counts as failed until it has succeeded. */
export interface Admitted {
  hash: string | null;
  attempt: string;
}

/**
 * Evaluates one password. The attempt is counted before, in a transaction of its own, and no database connection is
 * held during the evaluation: parallel guesses, also to several processes, gain nothing, and many sign-ins at once
 * leave the database to the others. If the password is right, `then` has to forget the failures.
 */
export function evaluate<C extends Context, A extends Admitted, T>(
  context: ManualTransactionContext<C>,
  key: string,
  tried: { password: string; field: string },
  admit: (context: C) => Promise<A>,
  then: (context: C, admitted: A) => Promise<T>,
): Promise<T> {
  return inTurn(key, async () => {
    const admitted = await context.inTransaction(admit);
    const fits = await passwordFits(tried.password, admitted.hash).catch((error: unknown) =>
      giveBack(context.database, admitted, error),
    );
    if (!fits) refuse("wrongPassword", { [tried.field]: "wrongPassword" });
    return context.inTransaction((inside) => then(inside, admitted));
  });
}

const giveBack = async (database: Database, { attempt }: Admitted, error: unknown): Promise<never> => {
  await database.asSystem((db) => forgetFailure(db, attempt));
  throw error;
};

const turns = new Map<string, Promise<unknown>>();
/** Within this process the attempts of one account queue up here, and not at the database. */
async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const mine = (turns.get(key) ?? Promise.resolve()).then(work, work);
  turns.set(key, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(key) === mine) turns.delete(key);
  }
}

/** Counts an attempt at `key` before it is made; refuses it if there were too many. */
export async function admitTry({ db, address }: Context, key: string): Promise<string> {
  await lockTries(db, key);
  const failed = await failures(db, key, address);
  if (failed.hour >= accountRules.evaluatedPerHour) refuse("loginDelayed");
  return insertFailure(db, key, address);
}

interface AtTheDoor {
  /** The browser, if the account knows it. */
  device: string | null;
  human: string | undefined;
  /** Demands the code that was sent to the owner. */
  demandCode: () => Promise<void>;
}
/**
 * Does the same for a password at the sign-in, where strangers must not lock the owner out. A browser that the account
 * knows is counted by itself, and as a stranger once it has used up its attempts. Strangers are counted together: they
 * are never refused, but need ever more work, and beyond what an owner could need also a code from the owner's mailbox.
 */
export async function admitPassword(context: Context, key: string, door: AtTheDoor): Promise<string> {
  const { db, address } = context;
  if (door.device !== null) {
    const own = deviceKey(key, door.device);
    await lockTries(db, own);
    const failed = await failures(db, own, address);
    if (failed.hour < accountRules.evaluatedPerHour) {
      if (failed.account >= accountRules.humanAfterFailures) await demandHuman(db, secret(), door.human);
      return insertFailure(db, own, address);
    }
  }
  await lockTries(db, key);
  const failed = await failures(db, key, address);
  const work = workFor(failed.hour);
  if (
    work > 0 ||
    failed.account >= accountRules.humanAfterFailures ||
    failed.address >= accountRules.failuresPerAddress
  )
    await demandHuman(db, secret(), door.human, work);
  if (failed.hour >= accountRules.strangersPerHour) await door.demandCode();
  return insertFailure(db, key, address);
}

/**
 * Forgets the failures of a user who has signed in. Those of strangers stay, otherwise each sign-in of the owner would
 * allow them ten more.
 */
export async function forgetOwnFailures({ db, address }: Context, key: string, device: string | null): Promise<void> {
  if (device !== null) await forgetFailures(db, deviceKey(key, device));
  await forgetFailures(db, key, address);
}
const deviceKey = (key: string, device: string): string => `${key} ${secretHash(device)}`;

/**
 * Returns the account for a sign-in. A client that requests many accounts that do not exist must work for each, also
 * for those that do.
 */
export async function demandAccount(context: Context, target: Target, human: string | undefined) {
  await demandFewFailures(context, human);
  return (await userByTarget(context.db, target)) ?? refuseStranger(context);
}

/** Counts the failure for the address, because no account is involved. */
export async function refuseStranger({ db, address }: Context): Promise<never> {
  await insertFailure(db, strangers(address), address);
  return refuseAndKeep("accountUnknown");
}

/** Demands a human check after many failures from this address. */
export async function demandFewFailures({ db, address }: Context, human: string | undefined): Promise<void> {
  await lockTries(db, strangers(address));
  const failed = await failures(db, strangers(address), address);
  if (failed.address >= accountRules.failuresPerAddress) await demandHuman(db, secret(), human);
}
const strangers = (address: string): string => `address:${limitedAddress(address)}`;

/** Returns the key under which the proofs of a signed-in user are counted. */
export const userKey = (uid: string): string => `user:${uid}`;

/**
 * Returns the password's hash and locks the user until the transaction ends: a reset waits, and then finds the session
 * that was started with it.
 */
export const passwordOf = async (db: Db, uid: string): Promise<string | null> =>
  (await db.selectFrom("users").select("password_hash").where("id", "=", uid).forShare().executeTakeFirstOrThrow())
    .password_hash;
