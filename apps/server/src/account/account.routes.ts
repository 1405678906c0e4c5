import { sql } from "kysely";
import { accountCalls } from "@arcada/contract/account/account.calls";
import { accountRules } from "@arcada/contract/account/account.rules";
import { audit } from "../kernel/audit.ts";
import { refuse, refuseAndKeep } from "../kernel/refuse.ts";
import { routes } from "../kernel/serve.ts";
import { secret } from "../kernel/services.ts";
import { demoAccounts } from "../kernel/demo.ts";
import { demandOldPassword, demandPassword, firstPlace, knowDevice, sendCodeLetter, userInfoOf } from "./account.ts";
import {
  insertUser,
  issueTicket,
  redeemTicket,
  setPassword,
  targetKey,
  targetOf,
  userByTarget,
} from "./account.store.ts";
import type { Target } from "./account.store.ts";
import { countries } from "./countries.ts";
import { keepAvatar } from "./avatar.ts";
import { demandHuman, humanChallenge } from "./human.ts";
import { demandGoodPassword, hashPassword } from "./password.ts";
import { endChainOf, endSessions, rotate, startSession } from "./session.ts";
import { demandCode, newCode } from "./verification.ts";
import type { Context } from "../kernel/asker.ts";

export const accountRoutes = routes(accountCalls, {
  fetchCountries: async () => countries,
  humanChallenge: async () => ({ ...(await humanChallenge(secret())) }),

  sendCode: async (input, context) => {
    await demandHuman(context.db, secret(), input.human);
    const target = targetOf(input.account, input.countryCode);
    const user = await userByTarget(context.db, target);
    // Kept, so that the solved check is spent: else one solution would tell of any number of accounts.
    if ((input.purpose === "register" || input.purpose === "bind") && user)
      refuseAndKeep("accountTaken", { account: "accountTaken" });
    if (["login", "reset", "original"].includes(input.purpose) && !user) refuseAndKeep("accountUnknown");
    const code = await newCode(context.db, secret(), targetKey(target), input.purpose);
    sendCodeLetter(context, target, code);
    return { resendAfter: accountRules.codeEvery };
  },

  login: async (input, context) => {
    const target = targetOf(input.account, input.countryCode);
    const user = (await userByTarget(context.db, target)) ?? refuse("accountUnknown");
    await demandPassword(context, target, user, input);
    return signIn(context, user.id, input.remember, "signIn.password");
  },

  loginByCode: async (input, context) => {
    const target = targetOf(input.account, input.countryCode);
    const user = (await userByTarget(context.db, target)) ?? refuse("accountUnknown");
    await demandCode(context.db, secret(), targetKey(target), "login", input.code);
    if (user.suspended_at) refuse("accountSuspended");
    return signIn(context, user.id, input.remember, "signIn.code");
  },

  registerVerify: async (input, context) => {
    const target = targetOf(input.account, input.countryCode);
    await demandCode(context.db, secret(), targetKey(target), "register", input.code);
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

  register: async (input, context) => {
    demandGoodPassword(input.password, context.config);
    const ticket = (await redeemTicket(context.db, "register", input.ticket)) ?? refuse("ticketSpent");
    const target = ticket.data as unknown as Target;
    if (await userByTarget(context.db, target)) refuse("accountTaken", { account: "accountTaken" });
    const uid = await insertUser(context.db, {
      target,
      passwordHash: await hashPassword(input.password),
      nickName: input.nickName || target.value.replace(/@.*/, ""),
      intendedRole: input.intendedRole,
      language: context.language,
    });
    return signIn(context, uid, false, "account.register");
  },

  resetPassword: async (input, context) => {
    demandGoodPassword(input.password, context.config);
    const target = targetOf(input.account, input.countryCode);
    const user = (await userByTarget(context.db, target)) ?? refuse("accountUnknown");
    await demandCode(context.db, secret(), targetKey(target), "reset", input.code);
    await setPassword(context.db, user.id, await hashPassword(input.password));
    await endSessions(context.db, { uid: user.id }, "password");
    await audit(context.db, {
      institution_id: null,
      user_id: user.id,
      action: "account.resetPassword",
      address: context.address,
    });
    return null;
  },

  welcome: async (_, { config }) => ({
    company: { name: config.COMPANY_NAME, site: config.COMPANY_SITE ?? null, address: config.COMPANY_ADDRESS ?? null },
    hotline: config.HOTLINE ?? null,
    serviceHours: config.SERVICE_HOURS,
    announcement: config.ANNOUNCEMENT ?? null,
    recruitment: config.RECRUITMENT_TEXT
      ? { text: config.RECRUITMENT_TEXT, url: config.RECRUITMENT_URL ?? null }
      : null,
    copyright: "2023–2026 Arcada",
    demo: config.ARCADA_DEMO ? { password: demoAccounts.password, accounts: [...demoAccounts.accounts] } : null,
    outbox: config.ARCADA_DEMO && !config.SMTP_URL,
    passwordMin: config.PASSWORD_MIN_LENGTH,
  }),

  logout: async (_, context) => {
    await endChainOf(context.db, context.asker.sessionId, "signedOut");
    return null;
  },

  exchange: async (input, context) => {
    const ticket = (await redeemTicket(context.db, "exchange", input.code)) ?? refuse("exchangeSpent");
    return signIn(context, ticket.target, false, "signIn.exchange");
  },

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

  getUserInfo: (_, { db, asker }) => userInfoOf(db, asker.uid, asker),

  setSelfInfo: async (input, context) => {
    const { db, asker } = context;
    const { nickName, userName, headerImg, ...same } = input;
    const change = {
      ...same,
      ...(headerImg !== undefined && { avatar: await keepAvatar(context, headerImg) }),
      ...(nickName !== undefined && { nick_name: nickName }),
      ...(userName !== undefined && { user_name: userName }),
    };
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    if (Object.keys(given).length > 0) await db.updateTable("users").set(given).where("id", "=", asker.uid).execute();
    return userInfoOf(db, asker.uid, asker);
  },

  changePassword: async (input, context) => {
    const { db, asker } = context;
    demandGoodPassword(input.password, context.config);
    await demandOldPassword(context, input.oldPassword);
    await setPassword(db, asker.uid, await hashPassword(input.password));
    await endSessions(db, { uid: asker.uid, butChainOf: asker.sessionId }, "password");
    const token = await rotate(db, asker.sessionId);
    if (token) context.afterCommit.push(async () => void context.reply.header("new-token", token));
    await audit(db, {
      institution_id: null,
      user_id: asker.uid,
      action: "account.changePassword",
      address: context.address,
    });
    return null;
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
      select id, kind, agent, chain_since as since, created_at as seen,
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

async function signIn(context: Context, uid: string, remember: boolean, action: string): Promise<{ token: string }> {
  const place = await firstPlace(context.db, uid);
  const token = await startSession(context.db, context.config, context.request, context.reply, {
    uid,
    place,
    remember,
  });
  await knowDevice(context, uid);
  await audit(context.db, {
    institution_id: place.iid,
    user_id: uid,
    action,
    address: context.address,
    request_id: context.requestId,
  });
  return { token };
}
