import { passwordCalls } from "@arcada/contract/account/password.calls";
import { audit } from "../../platform/audit/audit.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import { readCookie } from "../../platform/http/cookies.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { replacePasswordIfUnchanged, targetKey, parseTarget } from "../account.store.ts";
import { requireReachable } from "../contact-channel.ts";
import { deleteKnownDevices } from "../sign-in/known-browsers.ts";
import { withVerifiedPassword } from "../factor/factor-proof.ts";
import { deviceCookieName } from "../session/cookie-names.ts";
import { endSessions, rotateToken } from "../session/session.ts";
import { requireAccount } from "../sign-in/attempt-limiter.ts";
import { requireCode } from "../sign-in/verification-code.ts";
import { emailPasswordChanged } from "./password-changed-email.ts";
import { hashPassword } from "./password-hash.ts";
import { requireGoodPassword } from "./password-policy.ts";
import { replacePassword } from "./replace-password.ts";
import { requireMatureContact } from "./require-mature-contact.ts";

export const passwordRoutes = routes(passwordCalls, {
  resetPassword: {
    manualTransaction: async (input, context) => {
      requireGoodPassword(input.password, context.config);
      const uid = await context.inTransaction(async (inside) => {
        const target = requireReachable(parseTarget(input.account, input.countryCode));
        const user = await requireAccount(inside, target, input.human);
        await requireMatureContact(inside.db, target);
        await requireCode(inside, targetKey(target), "reset", input.code);
        return user.id;
      });
      const hash = await hashPassword(input.password);
      await context.inTransaction(({ db, address }) => replacePassword(db, uid, hash, address));
      return null;
    },
  },

  changePassword: {
    manualTransaction: async (input, context) => {
      requireGoodPassword(input.password, context.config);
      const { uid } = context.principal;
      const attempt = { password: input.oldPassword, field: "oldPassword" };
      const before = await withVerifiedPassword(context, attempt, async (_, fitted) => fitted);
      const hash = await hashPassword(input.password);
      return context.inTransaction(async ({ db, principal, afterCommit, reply, request, config, address }) => {
        if (!(await bypassTenantScope(db, () => replacePasswordIfUnchanged(db, uid, before, hash))))
          refuse("signedOutElsewhere");
        await bypassTenantScope(db, () =>
          deleteKnownDevices(db, uid, readCookie(request, deviceCookieName(config, request))),
        );
        await endSessions(db, { uid: principal.uid, exceptChainOf: principal.sessionId }, "password");
        const token = await rotateToken(db, principal.sessionId);
        if (token) afterCommit.push(async () => void reply.header("new-token", token));
        await audit(db, { institution_id: null, user_id: principal.uid, action: "account.changePassword", address });
        await emailPasswordChanged(db, principal.uid);
        return null;
      });
    },
  },
});
