import { languages } from "@arcada/contract/kernel/languages";
import { roles } from "@arcada/contract/kernel/roles";
import { noticeRules } from "@arcada/contract/notice/notice.calls";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import { findDelivery } from "@arcada/contract/notice/notice-presets";
import { buildNoticeText } from "@arcada/contract/notice/notice-text";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import { queueEmails } from "../platform/mail/email-queue.ts";
import type { LinkedEmailName, QueuedEmail } from "../platform/mail/email-queue.ts";
import { translate, translateDynamic, translatorOf } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import { insertNotices, listManagers, listMembers, loadRecipients, settleNotices } from "./notice.store.ts";
import type { NoticeRecipient } from "./notice.store.ts";

export interface NewNotice {
  kind: NoticeKind;
  params: Record<string, string>;
  link: string;
  /** The page of all images of an upload, once its notice stands for several. */
  groupLink?: string;
  /** The thing that it is about: notices of one topic form a group. */
  topic?: string;
  /** Those of the recipients who are responsible by name; without it, the users in `to`. */
  personal?: readonly string[];
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
/** The thing about which something was to be done, and the side that has done it; without a side: everybody. */
export interface Settlement {
  topic: string;
  institution?: string;
}
/**
 * Sends to all recipients except the person who acted. `settled` ends first: its statement travels with the first one
 * of the new notice.
 */
export const sendNotice = (
  db: Db,
  notice: NewNotice,
  by: string | null,
  settled: Settlement | null = null,
): Promise<void> =>
  bypassTenantScope(db, async () => {
    const ending = settled ? endWaiting(db, settled) : null;
    await Promise.all([ending, send(db, notice, by)]);
  });

async function send(db: Db, notice: NewNotice, by: string | null): Promise<void> {
  const audience = await listRecipients(db, notice.to);
  const users = [...new Set(audience)].filter((user) => user !== by);
  if (users.length === 0) return;
  const readers = (await loadRecipients(db, users, notice.kind)).map((reader) => toDelivery(reader, notice));
  // The daily email is made from the notices, so one that goes by email alone is written as well, as read.
  const rows = readers
    .filter(({ loudness, isMailDue }) => loudness !== "none" || isMailDue)
    .map(({ reader, loudness, isMailDue }) => ({ user: reader.id, isSilent: loudness !== "loud", isMailDue }));
  for (const { id, user } of insertNotices(db, rows, notice)) await notifyClients(db, { user }, "notice", id);
  if (noticeRules.ownLetters.includes(notice.kind)) return;
  await queueEmails(
    db,
    readers.filter(({ isMailedNow }) => isMailedNow).flatMap(({ reader }) => buildEmail(reader, notice)),
  );
}

/** Decides how one recipient gets a notice. */
function toDelivery(reader: NoticeRecipient, { kind, to, personal }: NewNotice) {
  const responsible = personal ?? ("users" in to ? to.users : []);
  const { loudness, isEmailed } = findDelivery(kind, reader, responsible.includes(reader.id));
  const mail = reader.mail ?? "now";
  return {
    reader,
    loudness,
    isMailedNow: isEmailed && mail === "now",
    isMailDue: isEmailed && mail === "daily" && reader.address !== null,
  };
}

/** Ends what is to be done about a thing, and refreshes the lists of those for whom it was to be done. */
export const settle = (db: Db, settled: Settlement): Promise<void> =>
  bypassTenantScope(db, () => endWaiting(db, settled));

async function endWaiting(db: Db, { topic, institution }: Settlement): Promise<void> {
  for (const user of await settleNotices(db, topic, institution)) await notifyClients(db, { user }, "notice", topic);
}

export const noticeText = (
  language: Language,
  notice: Pick<NewNotice, "kind" | "params"> & { count?: number },
): string =>
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
