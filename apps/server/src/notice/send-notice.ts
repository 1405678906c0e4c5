import { languages } from "@arcada/contract/kernel/languages";
import { roles } from "@arcada/contract/kernel/roles";
import { noticeRules } from "@arcada/contract/notice/notice.calls";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import { buildNoticeText } from "@arcada/contract/notice/notice-text";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import { queueEmails } from "../platform/mail/email-queue.ts";
import type { LinkedEmailName, QueuedEmail } from "../platform/mail/email-queue.ts";
import { translate, translateDynamic, translatorOf } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import { insertNotices, listManagers, listMembers, loadRecipients } from "./notice.store.ts";
import type { NoticeRecipient } from "./notice.store.ts";
import { toConfig } from "./notice-channels.ts";

export interface NewNotice {
  kind: NoticeKind;
  params: Record<string, string>;
  link: string;
  /** Set if the email contains more than the notice's line: an entry of letter.json and its values. */
  emailTemplate?: { name: LinkedEmailName; values: (language: Language) => Record<string, string | number> };
  /**
   * Recipients: users; everybody of an institution; its managers, optionally with the platform's operators; or
   * after-sales managers.
   */
  to:
    | { users: string[] }
    | { membersOf: string }
    | { managersOf: string; andOperators?: true }
    | { afterSalesAdmins: true }
    | { operators: true };
  /** Institutions in which the link is valid; a reader's own must be among them. */
  institutions?: string[];
}
/** Sends to all recipients except the person who acted. */
export const sendNotice = (db: Db, notice: NewNotice, by: string | null): Promise<void> =>
  bypassTenantScope(db, async () => {
    const audience = await listRecipients(db, notice.to);
    const users = [...new Set(audience)].filter((user) => user !== by);
    if (users.length === 0) return;
    const readers = await loadRecipients(db, users, notice.kind);
    const wanted = (channel: "site" | "email") => readers.filter((one) => toConfig(notice.kind, one)[channel]);
    const onSite = wanted("site").map(({ id }) => id);
    for (const { id, user } of insertNotices(db, onSite, notice)) await notifyClients(db, { user }, "notice", id);
    if (noticeRules.ownLetters.includes(notice.kind)) return;
    await queueEmails(
      db,
      wanted("email").flatMap((reader) => buildEmail(reader, notice)),
    );
  });

export const noticeText = (language: Language, notice: Pick<NewNotice, "kind" | "params">): string =>
  buildNoticeText(
    translatorOf(language, "notice"),
    (key, name) => translateDynamic(language, "notice", key, name),
    notice,
  );

/** Renders the notice as an email: its one line, the reason for it, and a link. It contains no more than the line. */
function buildEmail(
  { address, language: asked }: NoticeRecipient,
  { kind, params, link, emailTemplate: email }: NewNotice,
): QueuedEmail[] {
  if (address === null) return [];
  const language: Language = languages.find((one) => one === asked) ?? "en";
  if (email) return [{ to: address, language, name: email.name, values: email.values(language), link }];
  const line = noticeText(language, { kind, params });
  const why = translateDynamic(
    language,
    "letter",
    `notice.why.${kind}`,
    translate(language, "letter", "notice.why.other"),
  );
  return [{ to: address, language, name: "notice", values: { line, why }, link }];
}

async function listRecipients(db: Db, to: NewNotice["to"]): Promise<string[]> {
  if ("users" in to) return to.users;
  if ("membersOf" in to) return listMembers(db, to.membersOf);
  if ("operators" in to) return listUsersWithRole(db, "operator");
  if ("afterSalesAdmins" in to) return listUsersWithRole(db, "afterSalesAdmin");
  return [
    ...(await listManagers(db, to.managersOf)),
    ...(to.andOperators ? await listUsersWithRole(db, "operator") : []),
  ];
}

const listUsersWithRole = async (db: Db, role: "operator" | "afterSalesAdmin"): Promise<string[]> =>
  (
    await db
      .selectFrom("membership")
      .select("user_id")
      .where("state", "=", "normal")
      .where("authority_id", "=", roles[role].authorityId)
      .execute()
  ).map((row) => row.user_id);
