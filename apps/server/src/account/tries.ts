import { accountRules } from "@arcada/contract/account/account.rules";
import type { ApartContext, Context } from "../kernel/asker.ts";
import type { Database, Db } from "../kernel/db.ts";
import { refuse, refuseAndKeep } from "../kernel/refuse.ts";
import { secret } from "../kernel/services.ts";
import { secretHash } from "../kernel/ids.ts";
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

/** A try that was let in: counted as failed until it has succeeded. */
export interface Admitted {
  hash: string | null;
  attempt: string;
}

/**
 * Evaluates one password. It is counted before, in a transaction of its own, and while it is evaluated no connection to
 * the database is held: guesses sent at once, also to several processes, gain nothing, and many sign-ins at once leave
 * the database to the others. Right: the failures are `then`'s to forget.
 */
export function evaluate<C extends Context, A extends Admitted, T>(
  context: ApartContext<C>,
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
/** Within this process the tries of one account wait for each other here, and not before the database. */
async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const mine = (turns.get(key) ?? Promise.resolve()).then(work, work);
  turns.set(key, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(key) === mine) turns.delete(key);
  }
}

/** Counts a try at `key` before it is made; refuses it when there were too many. */
export async function admitTry({ db, address }: Context, key: string): Promise<string> {
  await lockTries(db, key);
  const failed = await failures(db, key, address);
  if (failed.hour >= accountRules.evaluatedPerHour) refuse("loginDelayed");
  return insertFailure(db, key, address);
}

interface AtTheDoor {
  /** The browser, where the account knows it. */
  device: string | null;
  human: string | undefined;
  /** Demands the code that was sent to the owner. */
  demandCode: () => Promise<void>;
}
/**
 * The same for a password at the door, where strangers must not keep the owner out. A browser that the account knows counts
 * for itself, and as a stranger when it has used that up. Strangers are counted together: they are never refused, but work
 * harder and harder, and beyond what an owner could need they must read the owner's letters, too.
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

/** Forgets the failures of whoever has signed in; a stranger's stay, or each visit of the owner would give them ten more. */
export async function forgetOwnFailures({ db, address }: Context, key: string, device: string | null): Promise<void> {
  if (device !== null) await forgetFailures(db, deviceKey(key, device));
  await forgetFailures(db, key, address);
}
const deviceKey = (key: string, device: string): string => `${key} ${secretHash(device)}`;

/** The account at the door. Who asks for many that do not exist has to work for each, also for those that do. */
export async function demandAccount(context: Context, target: Target, human: string | undefined) {
  await demandFewFailures(context, human);
  return (await userByTarget(context.db, target)) ?? refuseStranger(context);
}

/** Counted for the address: nobody else could be guessing. */
export async function refuseStranger({ db, address }: Context): Promise<never> {
  await insertFailure(db, strangers(address), address);
  return refuseAndKeep("accountUnknown");
}

/** Of an address: after many failures only with a human check. */
export async function demandFewFailures({ db, address }: Context, human: string | undefined): Promise<void> {
  await lockTries(db, strangers(address));
  const failed = await failures(db, strangers(address), address);
  if (failed.address >= accountRules.failuresPerAddress) await demandHuman(db, secret(), human);
}
const strangers = (address: string): string => `address:${limitedAddress(address)}`;

/** A key under which what a signed-in user shows is counted. */
export const userKey = (uid: string): string => `user:${uid}`;

/** Held until the transaction ends: a reset waits, and then finds the session that was begun with it. */
export const passwordOf = async (db: Db, uid: string): Promise<string | null> =>
  (await db.selectFrom("users").select("password_hash").where("id", "=", uid).forShare().executeTakeFirstOrThrow())
    .password_hash;
