import { sql } from "kysely";
import { accountCalls } from "@arcada/contract/account/account.calls";
import { accountRules } from "@arcada/contract/account/account.rules";
import { audit } from "../platform/audit/audit.ts";
import { isFromThisMachine } from "../platform/http/host-guard.ts";
import { refuse, refuseAndKeep } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { mail, secret } from "../platform/runtime/services.ts";
import { usesOutbox } from "../platform/mail/open-mail.ts";
import { demoAccounts } from "../domain/demo-accounts.ts";
import { countCodeMessage, readUserInfo, requireReachable, sendCodeEmail } from "./user-info.ts";
import {
  replacePasswordIfUnchanged,
  requireTicket,
  deleteKnownDevices,
  insertUser,
  issueTicket,
  redeemTicket,
  findResetDate,
  targetKey,
  parseTarget,
  findUserByTarget,
} from "./account.store.ts";
import type { ContactTarget } from "./account.store.ts";
import { readCookie } from "../platform/http/cookies.ts";
import { deviceCookieName } from "./session/cookies.ts";
import { redeemExchangeCode, issueExchangeCode } from "./sign-in/exchange-code.ts";
import { emailPasswordChanged } from "./profile/contact-changes.ts";
import { replacePassword } from "./profile/replace-password.ts";
import { countries } from "./profile/countries.ts";
import { withVerifiedPassword } from "./factor/factor-proof.ts";
import { prepareAvatar, storeAvatar } from "./profile/avatar.ts";
import { requireHumanCheck, createHumanChallenge } from "./sign-in/human-check.ts";
import { requireGoodPassword, hashPassword } from "./sign-in/password.ts";
import { endSessionChain, endSessions, lockSession, rotateToken, touchSession } from "./session/session.ts";
import { startUserSession, signIn, signInByPassword } from "./sign-in/sign-in.ts";
import { requireAccount } from "./sign-in/attempt-limiter.ts";
import {
  countSentCodes,
  requireCode,
  setCodeCookie,
  createCode,
  difficultyForCode,
} from "./sign-in/verification-code.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";

export const accountRoutes = routes(accountCalls, {
  fetchCountries: async () => countries,
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

  registerVerify: async (input, context) => {
    const target = requireReachable(parseTarget(input.account, input.countryCode));
    await requireCode(context, targetKey(target), "register", input.code);
    const registered = (await findUserByTarget(context.db, target)) !== undefined;
    const ticket = await issueTicket(
      context.db,
      "register",
      targetKey(target),
      { ...target },
      accountRules.ticketSeconds,
    );
    return { ticket, registered };
  },

  register: {
    manualTransaction: async (input, context) => {
      requireGoodPassword(input.password, context.config);
      await context.inTransaction(({ db }) => requireTicket(db, "register", input.ticket));
      const passwordHash = await hashPassword(input.password);
      return context.inTransaction(async (inside) => {
        const ticket = (await redeemTicket(inside.db, "register", input.ticket)) ?? refuse("ticketSpent");
        const target = ticket.data as unknown as ContactTarget;
        if (target.kind === "phone" && !input.agreeSms) refuse("badInput", { agreeSms: "agreeNeeded" });
        if (await findUserByTarget(inside.db, target)) refuse("accountTaken", { account: "accountTaken" });
        const uid = await insertUser(inside.db, {
          target,
          passwordHash,
          nickName: input.nickName || target.value.replace(/@.*/, ""),
          intendedRole: input.intendedRole,
          language: inside.language,
        });
        return startUserSession(inside, { uid, remember: false, action: "account.register" });
      });
    },
  },

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

  welcome: async (_, { config, request, now }) => ({
    company: { name: config.COMPANY_NAME, site: config.COMPANY_SITE ?? null, address: config.COMPANY_ADDRESS ?? null },
    hotline: config.HOTLINE ?? null,
    serviceHours: config.SERVICE_HOURS,
    announcement: config.ANNOUNCEMENT ?? null,
    recruitment: config.RECRUITMENT_TEXT
      ? { text: config.RECRUITMENT_TEXT, url: config.RECRUITMENT_URL ?? null }
      : null,
    copyright: `2023–${now.getUTCFullYear()} Arcada`,
    demo: config.ARCADA_DEMO ? { password: demoAccounts.password, accounts: [...demoAccounts.accounts] } : null,
    outbox: usesOutbox(config) && isFromThisMachine(request),
    phone: mail().offers("sms"),
    passwordMin: config.PASSWORD_MIN_LENGTH,
    idleMinutes: config.IDLE_MINUTES,
    providers: config.OIDC_PROVIDERS.map(({ id, label }) => ({ id, label })),
  }),

  logout: async (_, context) => {
    await endSessionChain(context.db, context.principal.sessionId, "signedOut");
    return null;
  },

  touchSession: async (_, { db, principal }) => {
    await touchSession(db, principal.sessionId);
    return null;
  },
  lockSession: async (_, { db, principal }) => {
    await lockSession(db, principal.sessionId);
    return null;
  },

  exchange: ({ code }, context) => redeemExchangeCode(context, code),
  exchangeCode: (_, context) =>
    issueExchangeCode(context, context.principal.uid, { session: context.principal.sessionId }),

  changeRole: async (input, context) => {
    const held = await context.db
      .selectFrom("membership")
      .select(["institution_id", "authority_id"])
      .where("user_id", "=", context.principal.uid)
      .where("state", "=", "normal")
      .where("authority_id", "=", input.authorityId)
      .orderBy(sql`institution_id is not distinct from ${context.principal.iid}::uuid`, "desc")
      .executeTakeFirst();
    if (!held || input.uuid !== context.principal.uid) refuse("roleNotHeld");
    return context.move({ iid: held.institution_id, authorityId: held.authority_id });
  },

  getUserInfo: (_, context) => readUserInfo(context),

  setSelfInfo: {
    prepare: (input, context) => prepareAvatar(input, context),
    handle: async (input, context) => {
      const { db, principal } = context;
      const { nickName, userName, headerImg, workPhone, ...same } = input;
      const change = {
        ...same,
        ...(headerImg !== undefined && { avatar: await storeAvatar(context, input) }),
        ...(nickName !== undefined && { nick_name: nickName }),
        ...(userName !== undefined && { user_name: userName }),
        ...(workPhone !== undefined && { work_phone: workPhone }),
      };
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      if (Object.keys(given).length > 0)
        await db.updateTable("users").set(given).where("id", "=", principal.uid).execute();
      return readUserInfo(context);
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

  sessions: async (_, { db, principal }) => {
    return db
      .selectFrom("session")
      .select(["id", "kind", "agent", "chain_since as since"])
      .select([
        sql<string>`greatest(created_at, seen_at)`.as("seen"),
        sql<boolean>`chain = (select chain from session where id = ${principal.sessionId})`.as("current"),
      ])
      .where("user_id", "=", principal.uid)
      .where("ended_at", "is", null)
      .where("rotated_at", "is", null)
      .where(sql<boolean>`expires_at > now()`)
      .orderBy("created_at", "desc")
      .execute();
  },

  endSession: async (input, { db, principal }) => {
    const mine = await db
      .selectFrom("session")
      .select("id")
      .where("id", "=", input.id)
      .where("user_id", "=", principal.uid)
      .executeTakeFirst();
    if (!mine) refuse("notFound");
    await endSessionChain(db, input.id, "endedElsewhere");
    return null;
  },
});

async function requireMatureContact(db: Db, target: ContactTarget): Promise<void> {
  const when = await findResetDate(db, target);
  if (when) refuseAndKeep("contactYoung", { when });
}
