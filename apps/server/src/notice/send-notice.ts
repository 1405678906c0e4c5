import { languages, languageTags } from "@arcada/contract/kernel/languages";
import { formatOffset, utcZone } from "@arcada/contract/kernel/time-zone";
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
import {
  insertNotices,
  listManagers,
  listMembers,
  loadReaderZones,
  loadRecipients,
  settleNotices,
} from "./notice.store.ts";
import type { NoticeRecipient } from "./notice.store.ts";

export interface NewNotice {
  kind: NoticeKind;
  params: Record<string, string>;
  link: string;
  /** The page of all images of an upload, once its notice stands for several. */
  groupLink?: string;
  /** The thing that it is about: notices of one topic form a group. */
  topic?: string;
  /** Those of the recipients who are responsible, by name or as managers; without it, the users in `to`. */
  personal?: readonly string[] | { managersOf: string };
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
  const responsible = await listResponsible(db, notice);
  const readers = (await loadRecipients(db, users, notice.kind)).map((reader) =>
    toDelivery(reader, notice.kind, responsible.includes(reader.id)),
  );
  // The daily email is made from the notices, so one that goes by email alone is written as well, as read.
  const rows = readers
    .filter(({ loudness, isMailDue }) => loudness !== "none" || isMailDue)
    .map(({ reader, loudness, isMailDue }) => ({ user: reader.id, isSilent: loudness !== "loud", isMailDue }));
  for (const { id, user } of insertNotices(db, rows, notice)) await notifyClients(db, { user }, "notice", id);
  if (noticeRules.ownLetters.includes(notice.kind)) return;
  const mailed = readers.filter(({ isMailedNow }) => isMailedNow).map(({ reader }) => reader);
  const zones = notice.params["at"] ? await loadReaderZones(db, mailed) : new Map<string, string>();
  await queueEmails(
    db,
    mailed.flatMap((reader) => buildEmail(reader, notice, zones.get(reader.id) ?? null)),
  );
}

async function listResponsible(db: Db, { to, personal }: NewNotice): Promise<readonly string[]> {
  if (personal === undefined) return "users" in to ? to.users : [];
  return "managersOf" in personal ? listManagers(db, personal.managersOf) : personal;
}

/** Decides how one recipient gets a notice. */
function toDelivery(reader: NoticeRecipient, kind: NoticeKind, isPersonal: boolean) {
  const { loudness, isEmailed } = findDelivery(kind, reader, isPersonal);
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

/** `zone` is the reader's; null if they work in no organisation: then the one that the notice names. */
export const noticeText = (
  language: Language,
  zone: string | null,
  notice: Pick<NewNotice, "kind" | "params"> & { count?: number },
): string =>
  buildNoticeText(
    translatorOf(language, "notice"),
    (key, name) => translateDynamic(language, "notice", key, name),
    (instant) => formatLocalTime(language, zone ?? notice.params["zone"] ?? utcZone, instant),
    notice,
  );

/** An email is read anywhere, so the time names its zone: "Fri, 2 May 2031, 17:00 (UTC+8)". */
function formatLocalTime(language: Language, zone: string, instant: string): string {
  const format = new Intl.DateTimeFormat(languageTags[language], {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return `${format.format(new Date(instant))} (${formatOffset(zone, instant)})`;
}

/** Renders the notice as an email: its one line, the reason for it, and a link. It contains no more than the line. */
function buildEmail(
  { address, language: asked }: NoticeRecipient,
  { kind, params, link, emailTemplate: email }: NewNotice,
  zone: string | null,
): QueuedEmail[] {
  if (address === null) return [];
  const language: Language = languages.find((one) => one === asked) ?? "en";
  if (email) return [{ to: address, language, name: email.name, values: email.values(language), link }];
  const line = noticeText(language, zone, { kind, params });
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
