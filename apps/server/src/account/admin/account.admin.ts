import { setupRules } from "@arcada/contract/account/setup.calls";
import { recordCommand } from "../../platform/audit/command-audit.ts";
import type { Db } from "../../platform/database/database.ts";
import { publish } from "../../platform/events/events.ts";
import { queueEmail } from "../../platform/mail/email-queue.ts";
import type { AdminServices } from "../../platform/runtime/admin-command.ts";
import { StartError } from "../../platform/runtime/config.ts";
import { parseLanguage, translate } from "../../platform/text/texts.ts";
import { operatorNamed } from "../account.events.ts";
import { findUserByTarget, parseTarget } from "../account.store.ts";
import { deleteFactors } from "../factor/factor.store.ts";
import { replacePassword } from "../password/replace-password.ts";
import { endSessions } from "../session/session.ts";
import { createOperatorAccount } from "../setup/create-operator-account.ts";
import { createSetupLink, hasOperator, lockOperators } from "../setup/setup-link.ts";
import { hashPassword } from "../password/password-hash.ts";
import { requireGoodPassword } from "../password/password-policy.ts";
import { findAddress, isOperator, updateSuspension } from "./users.store.ts";

interface Holder {
  uid: string;
  account: string;
  suspended: boolean;
}
interface Outcome {
  done: string;
  /** The path of a one-time link; null if nothing is left to do. */
  path: string | null;
}

/** Returns the user of an account; throws one sentence for an unknown one. */
export async function findAccountHolder({ database }: AdminServices, account: string): Promise<Holder> {
  const isAddress = account.includes("@");
  if (!isAddress && !/^\+\d{6,19}$/.test(account))
    throw new StartError(`${account} is neither an email address nor a phone number such as +8613912345678.`);
  const target = isAddress ? parseTarget(account, "") : { kind: "phone" as const, value: account, countryCode: null };
  const found = await database.asSystem((db) => findUserByTarget(db, target));
  if (!found) throw new StartError(`There is no account ${account}. list-users lists them.`);
  return { uid: found.id, account: target.value, suspended: found.suspended_at !== null };
}

/** Makes an operator of a new or of an existing account, which keeps its password. */
export async function createOperator(
  services: AdminServices,
  { email, name }: { email: string; name: string },
  password: string | null,
): Promise<Outcome> {
  const passwordHash = password === null ? null : await hashNew(services, password, setupRules.operatorPasswordMin);
  return services.database.asSystem(async (db) => {
    await lockOperators(db);
    const target = parseTarget(email, "");
    const known = await findUserByTarget(db, target);
    if (known) return promote(db, { uid: known.id, account: email, suspended: known.suspended_at !== null }, password);
    if (passwordHash === null) {
      await recordCommand(db, "createOperator", null, { link: true });
      const path = await createSetupLink(db, { purpose: "operator", account: target.value, uid: null });
      return { done: `${email} becomes an operator at this link:`, path };
    }
    const uid = await createOperatorAccount(db, { email, name, passwordHash, language: "en" });
    await recordCommand(db, "createOperator", uid);
    return { done: `${email} is an operator.`, path: null };
  });
}

async function promote(db: Db, { uid, account, suspended }: Holder, password: string | null): Promise<Outcome> {
  if (suspended) throw new StartError(`${account} is suspended. Use enable-user first.`);
  if (password !== null)
    throw new StartError(`${account} has an account already, and keeps its password. Use reset-password to change it.`);
  if (await isOperator(db, uid)) return { done: `${account} is an operator already.`, path: null };
  await publish(db, operatorNamed, { user: uid });
  await recordCommand(db, "createOperator", uid);
  return { done: `${account} is an operator now and signs in as before.`, path: null };
}

export async function resetPassword(
  services: AdminServices,
  { uid, account }: Holder,
  password: string | null,
): Promise<Outcome> {
  const { database, config } = services;
  const least = (await database.asSystem((db) => isOperator(db, uid))) ? setupRules.operatorPasswordMin : 0;
  const hash =
    password === null ? null : await hashNew(services, password, Math.max(least, config.PASSWORD_MIN_LENGTH));
  return database.asSystem(async (db) => {
    await recordCommand(db, "resetPassword", uid, hash === null ? { link: true } : {});
    if (hash === null) {
      const path = await createSetupLink(db, { purpose: "password", account, uid });
      return { done: `${account} gets a new password at this link:`, path };
    }
    await replacePassword(db, uid, hash, null);
    return { done: `${account} has a new password; all its sessions have ended.`, path: null };
  });
}

export const resetFactors = ({ database }: AdminServices, { uid }: Holder): Promise<void> =>
  database.asSystem(async (db) => {
    await deleteFactors(db, uid);
    await endSessions(db, { uid }, "factors");
    await recordCommand(db, "resetFactors", uid);
    const user = await findAddress(db, uid);
    if (!user) return;
    const language = parseLanguage(user.language);
    const change = translate(language, "letter", "factorChanged.what.factorsReset");
    await queueEmail(db, { to: user.email, language, name: "factorChanged", values: { change } });
  });

/** Returns false if nothing changed. The last operator cannot be suspended: nobody could administer the installation. */
export const setSuspended = ({ database }: AdminServices, { uid, account }: Holder, on: boolean): Promise<boolean> =>
  database.asSystem(async (db) => {
    await lockOperators(db);
    if (on && (await isOperator(db, uid)) && !(await hasOperator(db, uid)))
      throw new StartError(`${account} is the only operator. Create another one first.`);
    if (!(await updateSuspension(db, uid, on))) return false;
    if (on) await endSessions(db, { uid }, "suspended");
    await recordCommand(db, on ? "disableUser" : "enableUser", uid);
    return true;
  });

async function hashNew({ config }: AdminServices, password: string, least: number): Promise<string> {
  if (password.length < least) throw new StartError(`The password is too short: it needs ${least} characters.`);
  requireGoodPassword(password, config);
  return hashPassword(password);
}
