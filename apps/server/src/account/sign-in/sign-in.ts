import { accountRules } from "@arcada/contract/account/account.rules";
import type { ManualTransactionContext, Context, ActiveMembership } from "../../platform/http/request-context.ts";
import type { Config } from "../../platform/runtime/config.ts";
import { audit } from "../../platform/audit/audit.ts";
import { refuse, refuseAndKeep } from "../../platform/http/refuse.ts";
import { rememberBrowser } from "./known-browsers.ts";
import { findFirstMembership } from "../session/find-initial-membership.ts";
import { maskContact } from "../mask-contact.ts";
import { targetKey, parseTarget, findUserByTarget } from "../account.store.ts";
import { isKnownDevice } from "./known-browsers.ts";
import { deleteFailure } from "./login-failure.store.ts";
import { readCookie } from "../../platform/http/cookies.ts";
import { deviceCookieName } from "../session/cookie-names.ts";
import { requireSecondStep, hasTwoSteps } from "../factor/second-step.ts";
import { startSession } from "../session/session.ts";
import {
  admitPasswordAttempt,
  requireFewFailures,
  evaluatePassword,
  deleteOwnFailures,
  lockPasswordHash,
  refuseUnknownAccount,
} from "./attempt-limiter.ts";
import { requireCode } from "./verification-code.ts";

interface Credentials {
  account: string;
  countryCode: string;
  password: string;
  remember: boolean;
  human?: string | undefined;
  code?: string | undefined;
}
/** A user who has proven their identity, and the method. */
export interface VerifiedUser {
  uid: string;
  remember: boolean;
  /** The audit log's word for the sign-in method. */
  action: string;
  /** The active membership of the new session. Default: the one that the user had last. */
  membership?: ActiveMembership;
}

/** Signs in with a password: after some failures only with a human check, after many not at all for a while. */
export function signInByPassword(
  context: ManualTransactionContext<Context>,
  credentials: Credentials,
): Promise<{ token: string }> {
  const target = parseTarget(credentials.account, credentials.countryCode);
  const key = targetKey(target);
  return evaluatePassword(
    context,
    key,
    { password: credentials.password, field: "password" },
    async (inside) => {
      const user = await findUserByTarget(inside.db, target);
      if (!user) {
        await requireFewFailures(inside, credentials.human);
        return refuseUnknownAccount(inside);
      }
      const cookie = readCookie(inside.request, deviceCookieName(inside.config, inside.request));
      const device = cookie !== undefined && (await isKnownDevice(inside.db, user.id, cookie)) ? cookie : null;
      let isCodeShown = false;
      const requireSentCode = async () => {
        if (!credentials.code) refuseAndKeep("codeNeeded", { to: maskContact(target) });
        await requireCode(inside, key, "login", credentials.code);
        isCodeShown = true;
      };
      const attempt = await admitPasswordAttempt(inside, key, {
        device,
        human: credentials.human,
        demandCode: requireSentCode,
      });
      return { user, device, isCodeShown, hash: user.password_hash, attempt };
    },
    async (inside, { user, device, isCodeShown, hash, attempt }) => {
      const { db } = inside;
      // The password was reset while it was being evaluated: the old one opens nothing any more.
      if ((await lockPasswordHash(db, user.id)) !== hash) refuse("wrongPassword", { password: "wrongPassword" });
      await deleteFailure(db, attempt);
      if (user.suspended_at) refuseAndKeep("accountSuspended");
      const twoSteps = await hasTwoSteps(db, user.id);
      if (device === null && !isCodeShown && !twoSteps && isWeakPassword(inside.config, credentials.password)) {
        if (!credentials.code) refuseAndKeep("codeNeeded", { to: maskContact(target) });
        await requireCode(inside, key, "login", credentials.code);
      }
      await deleteOwnFailures(inside, key, device);
      return signIn(inside, { uid: user.id, remember: credentials.remember, action: "signIn.password" });
    },
  );
}

/** A short password from an unknown device is not enough; the demo's accounts have no one to receive a code. */
const isWeakPassword = (config: Config, password: string): boolean =>
  config.LOGIN_STEP_UP && !config.ARCADA_DEMO && password.length < accountRules.passwordStrong;

/** Starts the session of a user who has presented one factor, unless the account requires a second. */
export async function signIn(context: Context, user: VerifiedUser): Promise<{ token: string }> {
  if (await hasTwoSteps(context.db, user.uid)) return requireSecondStep(context, user);
  return startUserSession(context, user);
}

/** Starts the session of a user who has presented all required factors. */
export async function startUserSession(
  context: Context,
  { uid, remember, action, membership: wanted }: VerifiedUser,
): Promise<{ token: string }> {
  const { db, config, request, reply } = context;
  const user = await db.selectFrom("users").select("suspended_at").where("id", "=", uid).executeTakeFirst();
  if (!user || user.suspended_at) refuse("accountSuspended");
  const membership = wanted ?? (await findFirstMembership(db, uid));
  const { token, iid } = await startSession(db, config, request, reply, { uid, membership, remember });
  await rememberBrowser(context, uid);
  await audit(db, {
    institution_id: iid,
    user_id: uid,
    action,
    address: context.address,
    request_id: context.requestId,
  });
  return { token };
}
