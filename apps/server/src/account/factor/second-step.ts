import { sql } from "kysely";
import type { FactorNeeded } from "@arcada/contract/factor/second-step.calls";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import type { Context } from "../../platform/http/request-context.ts";
import type { Db } from "../../platform/database/database.ts";
import { secretHash } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse, refuseAndKeep } from "../../platform/http/refuse.ts";
import { issueTicket } from "../ticket.writes.ts";
import { readPasskeys, countRecoveryCodes, findTotp } from "./factor.store.ts";
import { authenticationOptions } from "./passkey.ts";
import { selectValue } from "../../platform/database/select-value.ts";

export interface FirstStep {
  uid: string;
  remember: boolean;
  action: string;
}

/** True if this user signs in with two steps. */
export const hasTwoSteps = (db: Db, uid: string): Promise<boolean> =>
  selectValue(db, sql<boolean>`arcada_two_steps(${uid})`);

/** Ends a first step: its proof need not be presented again, for a few minutes and a few attempts. */
export async function requireSecondStep(context: Context, { uid, remember, action }: FirstStep): Promise<never> {
  const { db } = context;
  const step = await issueTicket(db, "step", uid, { remember, action, tries: 0 }, factorRules.stepSeconds);
  const passkeys = await readPasskeys(db, uid);
  const needed: FactorNeeded = {
    step,
    factors: [
      ...((await findTotp(db, uid))?.confirmed_at ? (["totp"] as const) : []),
      ...(passkeys.length > 0 ? (["passkey"] as const) : []),
      ...((await countRecoveryCodes(db, uid)) > 0 ? (["recovery"] as const) : []),
    ],
    passkey: passkeys.length > 0 ? await authenticationOptions(context, { uid, passkeys }) : null,
  };
  return refuseAndKeep("factorNeeded", needed);
}

/**
 * Counts one attempt at a second step. Counting and reading are one statement, so that guessing in parallel gains
 * nothing.
 */
export async function countSecondStepAttempt(db: Db, step: string): Promise<FirstStep> {
  const attempt = await sql<{ target: string; data: { remember: boolean; action: string } }>`
    update ticket set data = data || jsonb_build_object('tries', (data->>'tries')::int + 1)
    where hash = ${secretHash(step)} and kind = 'step' and used_at is null and expires_at > now()
      and (data->>'tries')::int < ${factorRules.stepTries} returning target, data`.execute(db);
  const row = attempt.rows[0] ?? refuse("stepSpent");
  return { uid: row.target, remember: row.data.remember, action: row.data.action };
}
