import { accountRules } from "@arcada/contract/account/account.rules";
import type { ManualTransactionContext, Context, ActiveMembership } from "../platform/http/request-context.ts";
import type { Config } from "../platform/runtime/config.ts";
import { audit } from "../platform/audit/audit.ts";
import { refuse, refuseAndKeep } from "../platform/http/refuse.ts";
import { firstPlace, knowDevice, shortened } from "./account.ts";
import { forgetFailure, isKnownDevice, targetKey, targetOf, userByTarget } from "./account.store.ts";
import { readCookie } from "../platform/http/cookies.ts";
import { deviceName } from "./cookies.ts";
import { askSecondStep, hasTwoSteps } from "./factor/second-step.ts";
import { startSession } from "./session.ts";
import { admitPassword, demandFewFailures, evaluate, forgetOwnFailures, passwordOf, refuseStranger } from "./tries.ts";
import { demandCode } from "./verification.ts";

interface Typed {
  account: string;
  countryCode: string;
  password: string;
  remember: boolean;
  human?: string | undefined;
  code?: string | undefined;
}
/** A user who has proven their identity, and the method. */
export interface Entering {
  uid: string;
  remember: boolean;
  /** The audit log's word for the sign-in method. */
  action: string;
  /** The active membership of the new session. Default: the one that the user had last. */
  place?: ActiveMembership;
}

/** Signs in with a password: after some failures only with a human check, after many not at all for a while. */
export function signInByPassword(context: ManualTransactionContext<Context>, typed: Typed): Promise<{ token: string }> {
  const target = targetOf(typed.account, typed.countryCode);
  const key = targetKey(target);
  return evaluate(
    context,
    key,
    { password: typed.password, field: "password" },
    async (inside) => {
      const user = await userByTarget(inside.db, target);
      if (!user) {
        await demandFewFailures(inside, typed.human);
        return refuseStranger(inside);
      }
      const cookie = readCookie(inside.request, deviceName(inside.config, inside.request));
      const device = cookie !== undefined && (await isKnownDevice(inside.db, user.id, cookie)) ? cookie : null;
      let isCodeShown = false;
      const demandSent = async () => {
        if (!typed.code) refuseAndKeep("codeNeeded", { to: shortened(target) });
        await demandCode(inside, key, "login", typed.code);
        isCodeShown = true;
      };
      const attempt = await admitPassword(inside, key, { device, human: typed.human, demandCode: demandSent });
      return { user, device, isCodeShown, hash: user.password_hash, attempt };
    },
    async (inside, { user, device, isCodeShown, hash, attempt }) => {
      const { db } = inside;
      // The password was reset while it was being evaluated: the old one opens nothing any more.
      if ((await passwordOf(db, user.id)) !== hash) refuse("wrongPassword", { password: "wrongPassword" });
      await forgetFailure(db, attempt);
      if (user.suspended_at) refuseAndKeep("accountSuspended");
      const twoSteps = await hasTwoSteps(db, user.id);
      if (device === null && !isCodeShown && !twoSteps && isWeakHere(inside.config, typed.password)) {
        if (!typed.code) refuseAndKeep("codeNeeded", { to: shortened(target) });
        await demandCode(inside, key, "login", typed.code);
      }
      await forgetOwnFailures(inside, key, device);
      return signIn(inside, { uid: user.id, remember: typed.remember, action: "signIn.password" });
    },
  );
}

/** A short password from an unknown device is not enough; the demo's accounts have no one to receive a code. */
const isWeakHere = (config: Config, password: string): boolean =>
  config.LOGIN_STEP_UP && !config.ARCADA_DEMO && password.length < accountRules.passwordStrong;

/** Starts the session of a user who has presented one factor, unless the account requires a second. */
export async function signIn(context: Context, who: Entering): Promise<{ token: string }> {
  if (await hasTwoSteps(context.db, who.uid)) return askSecondStep(context, who);
  return enter(context, who);
}

/** Starts the session of a user who has presented all required factors. */
export async function enter(
  context: Context,
  { uid, remember, action, place: wanted }: Entering,
): Promise<{ token: string }> {
  const { db, config, request, reply } = context;
  const user = await db.selectFrom("users").select("suspended_at").where("id", "=", uid).executeTakeFirst();
  if (!user || user.suspended_at) refuse("accountSuspended");
  const place = wanted ?? (await firstPlace(db, uid));
  const { token, iid } = await startSession(db, config, request, reply, { uid, place, remember });
  await knowDevice(context, uid);
  await audit(db, {
    institution_id: iid,
    user_id: uid,
    action,
    address: context.address,
    request_id: context.requestId,
  });
  return { token };
}
