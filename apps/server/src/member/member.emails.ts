import { sql } from "kysely";
import { languageTags } from "@arcada/contract/kernel/languages";
import { memberPageUrl } from "@arcada/contract/member/member-notice-url";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import { findRole } from "@arcada/contract/kernel/roles";
import { screens } from "@arcada/contract/screens";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { queueEmail } from "../platform/mail/email-queue.ts";
import { countEmail } from "../platform/mail/message-limits.ts";
import { translate } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import type { Column, Row } from "../tables/row.ts";

/**
 * Sends the e-mail with the secret, in the invited person's language, or in the inviter's if that person is unknown.
 */
export async function queueInvitationEmail(
  db: Db,
  invitation: {
    email: string;
    name: string;
    institution: string;
    authorityId: number;
    inviter: string;
    expiresAt: string;
    /** The time zone of the institution that invites. */
    zone: string;
    secret: string;
  },
): Promise<void> {
  await countEmail(db, invitation.email);
  const known = await bypassTenantScope(db, () =>
    sql<Row<"users", "language"> & { inviter: Column<"users", "nick_name"> }>`select u.nick_name as inviter,
        coalesce((select v.language from users v join contact c on c.user_id = v.id
          where c.kind = 'email' and c.value = ${invitation.email}), u.language) as language
      from users u where u.id = ${invitation.inviter}`.execute(db),
  );
  const { inviter = "", language = "zh" } = known.rows[0] ?? {};
  await queueEmail(db, {
    to: invitation.email,
    language,
    name: "memberInvited",
    values: {
      institution: invitation.institution,
      inviter,
      role: roleText(language, invitation.authorityId),
      until: timeText(language, invitation.zone, invitation.expiresAt),
    },
    link: `${screens.invitation.path}#${invitation.secret}`,
  });
}

/** Each is also a kind of notice: a person who wants no e-mails of that kind gets none. */
const memberEmails = [
  "memberApplied",
  "applicationAgreed",
  "applicationRejected",
  "roleChanged",
  "memberRemoved",
  "invitationDeclined",
  "invitationExpired",
  "memberLeft",
] as const satisfies readonly NoticeKind[];
export type MemberEmail = (typeof memberEmails)[number];

/** The same news to each of these users who has an e-mail address, in their own language. */
export async function queueMemberEmails(
  db: Db,
  name: MemberEmail,
  to: readonly string[],
  news: { institution: string; person: string; authorityId?: number; remark?: string | null },
): Promise<void> {
  const readers = await bypassTenantScope(db, () =>
    sql<
      Row<"users", "language"> & { user: Column<"users", "id">; email: Column<"contact", "value"> }
    >`select u.id as "user", c.value as email, u.language
      from users u join contact c on c.user_id = u.id and c.kind = 'email'
      where u.id = any(${[...to]}::uuid[]) and u.suspended_at is null`.execute(db),
  );
  for (const { user, email, language } of readers.rows)
    await queueEmail(db, {
      to: email,
      language,
      name,
      about: { kind: name, user },
      values: {
        institution: news.institution,
        person: news.person,
        role: news.authorityId === undefined ? "" : roleText(language, news.authorityId),
        remark: news.remark ? `\n\n${news.remark}` : "",
      },
      link: emailsToManagers.includes(name) ? memberPageUrl(name) : screens.profile.path,
    });
}
const emailsToManagers: readonly MemberEmail[] = [
  "memberApplied",
  "invitationDeclined",
  "invitationExpired",
  "memberLeft",
];

const roleText = (language: Language, authorityId: number): string =>
  translate(language, "common", `role.${findRole(authorityId)}`);
/** With the time and its zone: the reader's own zone is unknown, and a date alone may be off by a day there. */
const timeText = (language: Language, zone: string, instant: string): string =>
  new Intl.DateTimeFormat(languageTags[language], {
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: zone,
    timeZoneName: "short",
  }).format(new Date(instant));
