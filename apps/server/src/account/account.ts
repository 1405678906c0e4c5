import { sql } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import { roleOf } from "@arcada/contract/kernel/roles";
import type { UserInfo } from "@arcada/contract/account/account.calls";
import type { AskedContext, Context, Place } from "../kernel/asker.ts";
import type { Config } from "../kernel/config.ts";
import { avatarUrl } from "../kernel/avatar.ts";
import { beyondWall } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { sendLetter } from "../kernel/letters.ts";
import { refuse, refuseAndKeep } from "../kernel/refuse.ts";
import { secret } from "../kernel/services.ts";
import { newId } from "../kernel/ids.ts";
import { deviceName, readCookie, setCookie } from "./cookies.ts";
import {
  failures,
  forgetFailures,
  inTurn,
  insertFailure,
  isKnownDevice,
  rememberDevice,
  targetKey,
} from "./account.store.ts";
import type { Target } from "./account.store.ts";
import { demandHuman } from "./human.ts";
import { passwordFits } from "./password.ts";
import { demandCode } from "./verification.ts";

interface Known {
  id: string;
  password_hash: string | null;
  suspended_at: string | null;
}

/** Lets a password be tried: after some failures only with a human check, after many not at all for a while. */
export async function demandPassword(
  context: Context,
  target: Target,
  user: Known,
  tried: { password: string; human?: string | undefined; code?: string | undefined },
): Promise<void> {
  const { db, config } = context;
  const key = targetKey(target);
  const device = readCookie(context.request, deviceName(config, context.request));
  const known = await isKnownDevice(db, user.id, device);
  await inTurn(db, key);
  const failed = await failures(db, key, context.address);
  // A device that the owner signed in from before is exempt, or anyone could lock the owner out.
  if (!known && failed.hour >= accountRules.evaluatedPerHour) refuse("loginDelayed");
  if (failed.account >= accountRules.humanAfterFailures || failed.address >= accountRules.failuresPerAddress)
    await demandHuman(db, secret(), tried.human);
  if (!(await passwordFits(tried.password, user.password_hash))) {
    await insertFailure(db, key, context.address);
    refuseAndKeep("wrongPassword", { password: "wrongPassword" });
  }
  if (user.suspended_at) refuse("accountSuspended");
  if (!known && needsSecondStep(config, tried.password)) {
    if (!tried.code) refuse("codeNeeded", { to: shortened(target) });
    await demandCode(db, secret(), key, "login", tried.code);
  }
  await forgetFailures(db, key);
}

/** The password that is about to be replaced: with somebody's session it is not guessed at faster than at the door. */
export async function demandOldPassword(context: AskedContext, password: string): Promise<void> {
  const { db, asker } = context;
  const key = `user:${asker.uid}`;
  await beyondWall(db, async () => {
    await inTurn(db, key);
    if ((await failures(db, key, context.address)).hour >= accountRules.evaluatedPerHour) refuse("loginDelayed");
    const user = await db
      .selectFrom("users")
      .select("password_hash")
      .where("id", "=", asker.uid)
      .executeTakeFirstOrThrow();
    if (!(await passwordFits(password, user.password_hash))) {
      await insertFailure(db, key, context.address);
      refuseAndKeep("wrongPassword", { oldPassword: "wrongPassword" });
    }
    await forgetFailures(db, key);
  });
}

/** A short password from an unknown device is not enough; the demo's accounts have no one to receive a code. */
const needsSecondStep = (config: Config, password: string): boolean =>
  config.LOGIN_STEP_UP && !config.ARCADA_DEMO && password.length < 12;

/** As much of a contact as its owner knows it by. */
export const shortened = (target: Target): string =>
  target.kind === "email"
    ? target.value.replace(/^(.).*(@.*)$/, "$1***$2")
    : `${target.value.slice(0, 5)}****${target.value.slice(-2)}`;

/** Marks this browser as one that the user signed in from. */
export async function knowDevice(context: Context, uid: string): Promise<void> {
  const name = deviceName(context.config, context.request);
  const device = readCookie(context.request, name) ?? newId();
  setCookie(context.reply, context.config, context.request, name, device, 365 * 86_400);
  await rememberDevice(context.db, uid, device);
}

/** Leaves after the commit; the call fails where the letter neither left nor could be kept for later. */
export function sendCodeLetter(context: Context, target: Target, code: string): void {
  const { database, config, language, now } = context;
  const until = new Date(now.getTime() + accountRules.codeSeconds * 1000).toISOString();
  context.afterCommit.push(() =>
    sendLetter(database, config, {
      to: target.value,
      language,
      name: "code",
      values: { code, minutes: accountRules.codeSeconds / 60 },
      channel: target.kind === "email" ? "email" : "sms",
      until,
    }),
  );
}

/** Where a user begins: the organisation of the newest session that still admits them, else the first membership. */
export async function firstPlace(db: Db, uid: string): Promise<Place> {
  const found = await sql<{ institution_id: string | null; authority_id: number }>`
    select m.institution_id, m.authority_id from membership m
    left join lateral (select max(s.created_at) as last from session s where s.user_id = m.user_id
      and s.institution_id is not distinct from m.institution_id and s.authority_id = m.authority_id) used on true
    where m.user_id = ${uid} and m.state = 'normal' order by used.last desc nulls last, m.joined_at limit 1`.execute(
    db,
  );
  const row = found.rows[0];
  return row ? { iid: row.institution_id, authorityId: row.authority_id } : { iid: null, authorityId: 0 };
}

export async function userInfoOf(db: Db, uid: string, place: { iid: string | null; role: string }): Promise<UserInfo> {
  // The wall shows colleagues no more than names; the rest of a user is read for the user alone.
  const user = await beyondWall(db, () =>
    db.selectFrom("users").selectAll().where("id", "=", uid).executeTakeFirstOrThrow(),
  );
  const contacts = await db.selectFrom("contact").selectAll().where("user_id", "=", uid).execute();
  const held = await db
    .selectFrom("membership")
    .leftJoin("institution", "institution.id", "membership.institution_id")
    .select([
      "membership.authority_id",
      "membership.institution_id",
      "institution.name",
      "institution.number",
      "institution.type",
    ])
    .where("membership.user_id", "=", uid)
    .where("membership.state", "=", "normal")
    .orderBy("membership.joined_at")
    .execute();
  const here = held.find((row) => row.institution_id === place.iid && roleOf(row.authority_id) === place.role);
  const phone = contacts.find((row) => row.kind === "phone");
  return {
    id: user.id,
    uuid: user.id,
    userName: user.user_name,
    nickName: user.nick_name,
    headerImg: avatarUrl(user.id, user.avatar),
    phone: phone?.value.slice(phone.country_code?.length ?? 0) ?? null,
    countryCode: phone?.country_code ?? null,
    email: contacts.find((row) => row.kind === "email")?.value ?? null,
    gender: user.gender,
    birthday: user.birthday,
    country: user.country,
    address: user.address,
    language: user.language,
    intendedRole: user.intended_role as UserInfo["intendedRole"],
    iid: place.iid ?? "0",
    institution: here?.institution_id
      ? { id: here.institution_id, name: here.name!, number: here.number!, type: here.type! }
      : null,
    initStatus: user.init_status,
    authorityId: here?.authority_id ?? 0,
    authorities: held.map((row) => ({
      authorityId: row.authority_id,
      role: roleOf(row.authority_id),
      iid: row.institution_id ?? "0",
      institutionName: row.name,
    })),
    roles: [place.role],
  };
}
