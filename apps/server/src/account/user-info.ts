import { sql } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import { findRole } from "@arcada/contract/kernel/roles";
import type { UserInfo } from "@arcada/contract/account/account.calls";
import type { AuthenticatedContext, Context, ActiveMembership } from "../platform/http/request-context.ts";
import { avatarUrl } from "../platform/storage/avatar-url.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { refuseAndKeep } from "../platform/http/refuse.ts";
import { sendEmail } from "../platform/mail/email.ts";
import { countTextMessage, requireChannel } from "../platform/mail/message-limits.ts";
import type { MessageChannel } from "../platform/mail/message.ts";
import { newId } from "../platform/runtime/ids.ts";
import { translate } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import { readCookie, setCookie } from "../platform/http/cookies.ts";
import { resolveZone } from "../domain/institution-time-zone.ts";
import type { ZoneColumns } from "../domain/institution-time-zone.ts";
import { deviceCookieName } from "./session/cookies.ts";
import { rememberDevice } from "./account.store.ts";
import type { ContactTarget } from "./account.store.ts";
import { pickColumns } from "../platform/database/pick-columns.ts";
import type { Row } from "../tables/row.ts";
import { selectValue } from "../platform/database/select-value.ts";

/** Shortens a contact to as much as its owner recognises. */
export const maskContact = (target: ContactTarget): string =>
  target.kind === "email"
    ? `${target.value.slice(0, 1)}***${target.value.slice(target.value.lastIndexOf("@"))}`
    : `${target.value.slice(0, 5)}****${target.value.slice(-2)}`;

/** Records this browser as one from which the user has signed in. */
export async function rememberBrowser(context: Context, uid: string): Promise<void> {
  const name = deviceCookieName(context.config, context.request);
  const device = readCookie(context.request, name) ?? newId();
  setCookie(context.reply, context.config, context.request, name, device, 365 * 86_400);
  await rememberDevice(context.db, uid, device);
}

export const channelOf = ({ kind }: Pick<ContactTarget, "kind">): MessageChannel =>
  kind === "email" ? "email" : "sms";
/** Returns a target to which this installation can send codes. */
export function requireReachable(target: ContactTarget): ContactTarget {
  requireChannel(channelOf(target));
  return target;
}

/** Refuses a code that would exceed the daily limits of text messages; the solved human check stays spent. */
export async function countCodeMessage(db: Db, target: ContactTarget): Promise<void> {
  const full = await countTextMessage(db, target.value);
  if (full) refuseAndKeep(full === "number" ? "codeTooMany" : "textsFull");
}

/** Sends the email after the commit. The call fails if the email could neither be sent nor be kept for later. */
export function sendCodeEmail(context: Context, target: ContactTarget, code: string): void {
  const { database, config, language, now } = context;
  const until = new Date(now.getTime() + accountRules.codeSeconds * 1000).toISOString();
  context.afterCommit.push(() =>
    sendEmail(database, config, {
      to: target.value,
      language,
      name: "code",
      values: { code, minutes: accountRules.codeSeconds / 60 },
      channel: channelOf(target),
      until,
    }),
  );
}

/**
 * Returns the first active membership of a user's new session: that of the newest session which the user may still
 * enter, else the oldest membership.
 */
export async function findFirstMembership(db: Db, uid: string): Promise<ActiveMembership> {
  const found = await sql<Row<"membership", "institution_id" | "authority_id">>`
    select m.institution_id, m.authority_id from membership m
    left join lateral (select max(s.created_at) as last from session s where s.user_id = m.user_id
      and s.institution_id is not distinct from m.institution_id and s.authority_id = m.authority_id) used on true
    where m.user_id = ${uid} and m.state = 'normal' order by used.last desc nulls last, m.joined_at limit 1`.execute(
    db,
  );
  const row = found.rows[0];
  return row ? { iid: row.institution_id, authorityId: row.authority_id } : { iid: null, authorityId: 0 };
}

export async function readUserInfo({
  db,
  principal: { uid, ...membership },
  language,
}: Pick<AuthenticatedContext, "db" | "principal" | "language">): Promise<UserInfo> {
  // The tenant scope shows colleagues only names; the rest of a user is read for the user alone.
  const user = await bypassTenantScope(db, () =>
    db.selectFrom("users").selectAll().where("id", "=", uid).executeTakeFirstOrThrow(),
  );
  const factorRequired = await bypassTenantScope(db, () => isSecondStepMissing(db, uid, membership.iid));
  const contacts = await db.selectFrom("contact").selectAll().where("user_id", "=", uid).execute();
  const held = await db
    .selectFrom("membership")
    .leftJoin("institution", "institution.id", "membership.institution_id")
    .select([
      "membership.authority_id",
      "membership.institution_id",
      "membership.launch_allowed_at",
      "institution.name",
      "institution.number",
      "institution.type",
      "institution.country",
      "institution.time_zone",
    ])
    .where("membership.user_id", "=", uid)
    .where("membership.state", "=", "normal")
    .orderBy("membership.joined_at")
    .execute();
  const here = held.find(
    (row) => row.institution_id === membership.iid && findRole(row.authority_id) === membership.role,
  );
  const phone = contacts.find((row) => row.kind === "phone");
  return {
    ...pickColumns(
      user,
      "id",
      "user_name",
      "nick_name",
      "gender",
      "birthday",
      "country",
      "address",
      "work_phone",
      "language",
      "init_status",
    ),
    uuid: user.id,
    headerImg: avatarUrl(user.id, user.avatar),
    phone: phone?.value.slice(phone.country_code?.length ?? 0) ?? null,
    countryCode: phone?.country_code ?? null,
    email: contacts.find((row) => row.kind === "email")?.value ?? null,
    intendedRole: user.intended_role as UserInfo["intendedRole"],
    iid: membership.iid ?? "0",
    institution: here ? toInstitution(here) : null,
    legalAgreed: user.terms_version !== null,
    authorityId: here?.authority_id ?? 0,
    authorities: held.map((row) => authorityView(row, language)),
    roles: [membership.role],
    launchAllowed: Boolean(here?.launch_allowed_at),
    factorRequired,
  };
}

interface MembershipRow extends Pick<ZoneColumns, "time_zone"> {
  institution_id: string | null;
  name: string | null;
  number: string | null;
  type: "clinic" | "lab" | null;
  country: string | null;
}
/** A role in the service belongs to no institution. */
const toInstitution = ({
  institution_id: id,
  name,
  number,
  type,
  country,
  time_zone,
}: MembershipRow): UserInfo["institution"] =>
  id === null
    ? null
    : { id, name: name!, number: number!, type: type!, timeZone: resolveZone({ time_zone, country: country! }) };

const authorityView = (
  row: { authority_id: number; institution_id: string | null; name: string | null },
  language: Language,
): UserInfo["authorities"][number] => ({
  authorityId: row.authority_id,
  authorityName: translate(language, "common", `role.${findRole(row.authority_id)}`),
  role: findRole(row.authority_id),
  iid: row.institution_id ?? "0",
  institutionName: row.name,
});

/** Reads again the value that the session's row carries. */
const isSecondStepMissing = (db: Db, uid: string, iid: string | null): Promise<boolean> =>
  selectValue(
    db,
    sql<boolean>`exists (select from institution where id = ${iid} and require_factor) and not arcada_two_steps(${uid})`,
  );
