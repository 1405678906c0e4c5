import { sql } from "kysely";
import { accountCalls } from "@arcada/contract/account/account.calls";
import { accountRules } from "@arcada/contract/account/account.rules";
import { audit } from "../platform/audit/audit.ts";
import { isFromThisMachine } from "../platform/http/host-guard.ts";
import { refuse, refuseAndKeep } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { secret } from "../platform/runtime/services.ts";
import { demoAccounts } from "../domain/demo-accounts.ts";
import { sendCodeLetter, userInfoOf } from "./account.ts";
import {
  changePasswordFrom,
  demandTicket,
  forgetDevices,
  insertUser,
  issueTicket,
  redeemTicket,
  resetsFrom,
  setPassword,
  targetKey,
  targetOf,
  userByTarget,
} from "./account.store.ts";
import type { Target } from "./account.store.ts";
import { readCookie } from "../platform/http/cookies.ts";
import { deviceName } from "./cookies.ts";
import { exchange, issueExchange } from "./exchange.ts";
import { tellPassword } from "./contacts.ts";
import { countries } from "./countries.ts";
import { withPassword } from "./factor/factor.ts";
import { drawAvatar, keepAvatar } from "./avatar.ts";
import { demandHuman, humanChallenge } from "./human.ts";
import { demandGoodPassword, hashPassword } from "./password.ts";
import { endChainOf, endSessions, lockSession, rotate, touchSession } from "./session.ts";
import { enter, signIn, signInByPassword } from "./sign-in.ts";
import { demandAccount } from "./tries.ts";
import { codesSent, demandCode, markBrowser, newCode, workForCode } from "./verification.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";

export const accountRoutes = routes(accountCalls, {
  fetchCountries: async () => countries,
  humanChallenge: async ({ work }, context) => {
    markBrowser(context);
    return { ...(await humanChallenge(secret(), work)) };
  },

  sendCode: async (input, context) => {
    const target = targetOf(input.account, input.countryCode);
    const user = await userByTarget(context.db, target);
    const sent = await codesSent(context, targetKey(target), input.purpose, user?.id);
    await demandHuman(context.db, secret(), input.human, workForCode(sent));
    // Keep the writes, so that the solved check is spent: otherwise one solution would reveal the existence of any
    // number of accounts.
    if ((input.purpose === "register" || input.purpose === "bind") && user)
      refuseAndKeep("accountTaken", { account: "accountTaken" });
    if (["login", "reset", "original"].includes(input.purpose) && !user) refuseAndKeep("accountUnknown");
    if (input.purpose === "reset") await demandOld(context.db, target);
    const code = await newCode(context, targetKey(target), input.purpose, sent);
    sendCodeLetter(context, target, code);
    return { resendAfter: accountRules.codeEvery };
  },

  login: { apart: (input, context) => signInByPassword(context, input) },

  loginByCode: async (input, context) => {
    const target = targetOf(input.account, input.countryCode);
    const user = await demandAccount(context, target, input.human);
    await demandCode(context, targetKey(target), "login", input.code);
    if (user.suspended_at) refuse("accountSuspended");
    return signIn(context, { uid: user.id, remember: input.remember, action: "signIn.code" });
  },

  registerVerify: async (input, context) => {
    const target = targetOf(input.account, input.countryCode);
    await demandCode(context, targetKey(target), "register", input.code);
    const registered = (await userByTarget(context.db, target)) !== undefined;
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
    apart: async (input, context) => {
      demandGoodPassword(input.password, context.config);
      await context.inTransaction(({ db }) => demandTicket(db, "register", input.ticket));
      const passwordHash = await hashPassword(input.password);
      return context.inTransaction(async (inside) => {
        const ticket = (await redeemTicket(inside.db, "register", input.ticket)) ?? refuse("ticketSpent");
        const target = ticket.data as unknown as Target;
        if (await userByTarget(inside.db, target)) refuse("accountTaken", { account: "accountTaken" });
        const uid = await insertUser(inside.db, {
          target,
          passwordHash,
          nickName: input.nickName || target.value.replace(/@.*/, ""),
          intendedRole: input.intendedRole,
          language: inside.language,
        });
        return enter(inside, { uid, remember: false, action: "account.register" });
      });
    },
  },

  resetPassword: {
    apart: async (input, context) => {
      demandGoodPassword(input.password, context.config);
      const uid = await context.inTransaction(async (inside) => {
        const target = targetOf(input.account, input.countryCode);
        const user = await demandAccount(inside, target, input.human);
        await demandOld(inside.db, target);
        await demandCode(inside, targetKey(target), "reset", input.code);
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
    outbox: config.ARCADA_DEMO && !config.SMTP_URL && isFromThisMachine(request),
    passwordMin: config.PASSWORD_MIN_LENGTH,
    idleMinutes: config.IDLE_MINUTES,
    providers: config.OIDC_PROVIDERS.map(({ id, label }) => ({ id, label })),
  }),

  logout: async (_, context) => {
    await endChainOf(context.db, context.asker.sessionId, "signedOut");
    return null;
  },

  touchSession: async (_, { db, asker }) => {
    await touchSession(db, asker.sessionId);
    return null;
  },
  lockSession: async (_, { db, asker }) => {
    await lockSession(db, asker.sessionId);
    return null;
  },

  exchange: ({ code }, context) => exchange(context, code),
  exchangeCode: (_, context) => issueExchange(context, context.asker.uid, { session: context.asker.sessionId }),

  changeRole: async (input, context) => {
    const held = await context.db
      .selectFrom("membership")
      .select(["institution_id", "authority_id"])
      .where("user_id", "=", context.asker.uid)
      .where("state", "=", "normal")
      .where("authority_id", "=", input.authorityId)
      .orderBy(sql`institution_id is not distinct from ${context.asker.iid}::uuid`, "desc")
      .executeTakeFirst();
    if (!held || input.uuid !== context.asker.uid) refuse("roleNotHeld");
    return context.move({ iid: held.institution_id, authorityId: held.authority_id });
  },

  getUserInfo: (_, context) => userInfoOf(context),

  setSelfInfo: {
    before: (input, context) => drawAvatar(input, context),
    within: async (input, context) => {
      const { db, asker } = context;
      const { nickName, userName, headerImg, workPhone, ...same } = input;
      const change = {
        ...same,
        ...(headerImg !== undefined && { avatar: await keepAvatar(context, input) }),
        ...(nickName !== undefined && { nick_name: nickName }),
        ...(userName !== undefined && { user_name: userName }),
        ...(workPhone !== undefined && { work_phone: workPhone }),
      };
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      if (Object.keys(given).length > 0) await db.updateTable("users").set(given).where("id", "=", asker.uid).execute();
      return userInfoOf(context);
    },
  },

  changePassword: {
    apart: async (input, context) => {
      demandGoodPassword(input.password, context.config);
      const { uid } = context.asker;
      const tried = { password: input.oldPassword, field: "oldPassword" };
      const before = await withPassword(context, tried, async (_, fitted) => fitted);
      const hash = await hashPassword(input.password);
      return context.inTransaction(async ({ db, asker, afterCommit, reply, request, config, address }) => {
        if (!(await bypassTenantScope(db, () => changePasswordFrom(db, uid, before, hash))))
          refuse("signedOutElsewhere");
        await bypassTenantScope(db, () => forgetDevices(db, uid, readCookie(request, deviceName(config, request))));
        await endSessions(db, { uid: asker.uid, butChainOf: asker.sessionId }, "password");
        const token = await rotate(db, asker.sessionId);
        if (token) afterCommit.push(async () => void reply.header("new-token", token));
        await audit(db, { institution_id: null, user_id: asker.uid, action: "account.changePassword", address });
        await tellPassword(db, asker.uid);
        return null;
      });
    },
  },

  sessions: async (_, { db, asker }) => {
    const open = await sql<{
      id: string;
      kind: "browser" | "api";
      agent: string;
      since: string;
      seen: string;
      current: boolean;
    }>`
      select id, kind, agent, chain_since as since, greatest(created_at, seen_at) as seen,
        chain = (select chain from session where id = ${asker.sessionId}) as current
      from session where user_id = ${asker.uid} and ended_at is null and rotated_at is null and expires_at > now()
      order by created_at desc`.execute(db);
    return open.rows;
  },

  endSession: async (input, { db, asker }) => {
    const mine = await db
      .selectFrom("session")
      .select("id")
      .where("id", "=", input.id)
      .where("user_id", "=", asker.uid)
      .executeTakeFirst();
    if (!mine) refuse("notFound");
    await endChainOf(db, input.id, "endedElsewhere");
    return null;
  },
});

async function replacePassword(db: Db, uid: string, hash: string, address: string): Promise<void> {
  await setPassword(db, uid, hash);
  await forgetDevices(db, uid);
  await endSessions(db, { uid }, "password");
  await audit(db, { institution_id: null, user_id: uid, action: "account.resetPassword", address });
  await tellPassword(db, uid);
}

async function demandOld(db: Db, target: Target): Promise<void> {
  const when = await resetsFrom(db, target);
  if (when) refuseAndKeep("contactYoung", { when });
}
