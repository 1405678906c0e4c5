import { accountRules } from "@arcada/contract/account/account.rules";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { refuse, refuseAndKeep } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { secret } from "../../platform/runtime/services.ts";
import { targetKey, parseTarget, findUserByTarget } from "../account.store.ts";
import { requireReachable } from "../contact-channel.ts";
import { requireMatureContact } from "../password/require-mature-contact.ts";
import { requireAccount } from "./attempt-limiter.ts";
import { requireHumanCheck, createHumanChallenge } from "./human-check.ts";
import { signIn, signInByPassword } from "./sign-in.ts";
import {
  countCodeMessage,
  countSentCodes,
  createCode,
  difficultyForCode,
  requireCode,
  sendCodeEmail,
  setCodeCookie,
} from "./verification-code.ts";

export const signInRoutes = routes(signInCalls, {
  humanChallenge: async ({ work }, context) => {
    setCodeCookie(context);
    return { ...(await createHumanChallenge(secret(), work)) };
  },

  sendCode: async (input, context) => {
    const target = requireReachable(parseTarget(input.account, input.countryCode));
    const user = await findUserByTarget(context.db, target);
    const sent = await countSentCodes(context, targetKey(target), input.purpose, user?.id);
    await requireHumanCheck(context.db, secret(), input.human, difficultyForCode(sent));
    // Keep the writes, so that the solved check is spent: otherwise one solution would reveal the existence of any
    // number of accounts.
    if ((input.purpose === "register" || input.purpose === "bind") && user)
      refuseAndKeep("accountTaken", { account: "accountTaken" });
    if (["login", "reset", "original"].includes(input.purpose) && !user) refuseAndKeep("accountUnknown");
    if (input.purpose === "reset") await requireMatureContact(context.db, target);
    if (target.kind === "phone") await countCodeMessage(context.db, target);
    const code = await createCode(context, targetKey(target), input.purpose, sent);
    sendCodeEmail(context, target, code);
    return { resendAfter: accountRules.codeEvery };
  },

  login: { manualTransaction: (input, context) => signInByPassword(context, input) },

  loginByCode: async (input, context) => {
    const target = requireReachable(parseTarget(input.account, input.countryCode));
    const user = await requireAccount(context, target, input.human);
    await requireCode(context, targetKey(target), "login", input.code);
    if (user.suspended_at) refuse("accountSuspended");
    return signIn(context, { uid: user.id, remember: input.remember, action: "signIn.code" });
  },
});
