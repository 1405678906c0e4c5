import { accountRules } from "@arcada/contract/account/account.rules";
import type { ApartContext, Context } from "../kernel/asker.ts";
import type { Database, Db } from "../kernel/db.ts";
import { refuse, refuseAndKeep } from "../kernel/refuse.ts";
import { secret } from "../kernel/services.ts";
import { failures, forgetFailure, insertFailure, limitedAddress, lockTries, userByTarget } from "./account.store.ts";
import type { Target } from "./account.store.ts";
import { demandHuman } from "./human.ts";
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
export async function admitTry(
  context: Context,
  key: string,
  how: { known?: boolean; human?: { solved: string | undefined } } = {},
): Promise<string> {
  const { db, address } = context;
  await lockTries(db, key);
  const failed = await failures(db, key, address);
  // A device that the owner signed in from before is exempt, or anyone could lock the owner out.
  if (!how.known && failed.hour >= accountRules.evaluatedPerHour) refuse("loginDelayed");
  if (
    how.human &&
    (failed.account >= accountRules.humanAfterFailures || failed.address >= accountRules.failuresPerAddress)
  )
    await demandHuman(db, secret(), how.human.solved);
  return insertFailure(db, key, address);
}

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
