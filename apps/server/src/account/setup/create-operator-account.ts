import type { Language } from "@arcada/contract/kernel/languages";
import type { Db } from "../../platform/database/database.ts";
import { publish } from "../../platform/events/events.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { operatorNamed } from "../account.events.ts";
import { findUserByTarget, insertUser, parseTarget } from "../account.store.ts";
import { initStatus } from "../profile/complete-account.ts";

interface OperatorAccount {
  email: string;
  name: string;
  passwordHash: string;
  language: Language;
}

/** Creates the account of an operator; refuses `accountTaken` for an address that has an account. */
export async function createOperatorAccount(db: Db, account: OperatorAccount): Promise<string> {
  const target = parseTarget(account.email, "");
  if (await findUserByTarget(db, target)) refuse("accountTaken", { email: "accountTaken" });
  const { passwordHash, name: nickName, language } = account;
  const user = await insertUser(db, { target, passwordHash, nickName, intendedRole: null, country: null, language });
  // An operator works in no country's organisation, so nothing is left to complete.
  await db.updateTable("users").set({ init_status: initStatus.complete }).where("id", "=", user).execute();
  await publish(db, operatorNamed, { user });
  return user;
}
