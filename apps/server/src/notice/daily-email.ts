import { sql } from "kysely";
import { languages } from "@arcada/contract/kernel/languages";
import { localTimeIn, utcZone } from "@arcada/contract/kernel/time-zone";
import { digestHour } from "@arcada/contract/notice/notice-presets";
import { screens } from "@arcada/contract/screens";
import { resolveZone } from "../domain/institution-time-zone.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { queueEmails } from "../platform/mail/email-queue.ts";
import type { EmailSection } from "../platform/mail/email-queue.ts";
import { translate } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import type { Column, Row } from "../tables/row.ts";
import { noticeText } from "./send-notice.ts";

const maxPeople = 500;
/** The email names no more groups than this; the rest stands in Arcada. */
const maxGroups = 30;

/**
 * Sends the daily email to everybody for whom it is due: something waits for it, it is past 8 o'clock where they work,
 * and none was sent on that day. Safe in several processes: the row of a person is locked while their email is made.
 */
export async function sendDailyEmails(database: Database, now = new Date()): Promise<number> {
  const people = await database.asSystem((db) => listPeopleWithMail(db));
  let sent = 0;
  for (const person of people) {
    const day = findDueDay(person, now);
    if (day !== null && (await database.asSystem((db) => sendDailyEmail(db, person.user_id, day)))) sent++;
  }
  return sent;
}

type WaitingPerson = Row<"notice_preference", "user_id" | "mailed_on"> & {
  [Name in "time_zone" | "country"]: Column<"institution", Name> | null;
};
/** A person works where they have been a member longest. */
const listPeopleWithMail = async (db: Db): Promise<WaitingPerson[]> =>
  (
    await sql<WaitingPerson>`select p.user_id, p.mailed_on, i.time_zone, i.country from notice_preference p
      left join lateral (select i.time_zone, i.country from membership m join institution i on i.id = m.institution_id
        where m.user_id = p.user_id and m.state = 'normal' order by m.joined_at limit 1) i on true
      where p.mail = 'daily' and exists (select from notice n where n.user_id = p.user_id and n.mail_due)
      order by p.mailed_on nulls first, p.user_id limit ${maxPeople}`.execute(db)
  ).rows;

/** The local day whose email is due; null if it is too early or was sent. */
function findDueDay({ mailed_on, time_zone, country }: WaitingPerson, now: Date): string | null {
  const local = localTimeIn(country === null ? utcZone : resolveZone({ time_zone, country }), now);
  const day = local.slice(0, 10);
  return Number(local.slice(11, 13)) >= digestHour && mailed_on !== day ? day : null;
}

async function sendDailyEmail(db: Db, uid: string, day: string): Promise<boolean> {
  const { rows: locked } = await sql`select from notice_preference where user_id = ${uid} and mail = 'daily'
    and mailed_on is distinct from ${day}::date for update skip locked`.execute(db);
  if (locked.length === 0) return false;
  const lines = await takeDueNotices(db, uid);
  await sql`update notice_preference set mailed_on = ${day}::date where user_id = ${uid}`.execute(db);
  const reader = await findReader(db, uid);
  const [first] = lines;
  if (!reader || !first) return false;
  const language: Language = languages.find((one) => one === reader.language) ?? "en";
  const groups = [...Map.groupBy(lines, ({ topic }) => topic).values()];
  await queueEmails(db, [
    {
      to: reader.address,
      language,
      name: "digest",
      values: { count: groups.length },
      link: screens.today.path,
      sections: buildSections(language, groups),
    },
  ]);
  return true;
}

type DueNotice = Row<"notice", "kind" | "params" | "link" | "topic" | "count" | "waits">;
/** Takes the notices that are due, without those that were read in Arcada before. */
const takeDueNotices = async (db: Db, uid: string): Promise<DueNotice[]> =>
  (
    await sql<DueNotice & { is_read: boolean }>`with due as (
        update notice set mail_due = false where user_id = ${uid} and mail_due returning *)
      select kind, params, link, topic, count, waits, seen_at is not null and seen_at <> created_at as is_read
      from due order by waits desc, changed_at desc, id desc`.execute(db)
  ).rows.filter(({ is_read }) => !is_read);

const findReader = (db: Db, uid: string): Promise<{ language: string | null; address: string } | undefined> =>
  db
    .selectFrom("users as u")
    .innerJoin("contact as c", (join) => join.onRef("c.user_id", "=", "u.id").on("c.kind", "=", "email"))
    .select(["u.language", "c.value as address"])
    .where("u.id", "=", uid)
    .where("u.suspended_at", "is", null)
    .executeTakeFirst();

/** One line for each group: what is to be done in it, else what came last. */
function buildSections(language: Language, groups: readonly DueNotice[][]): EmailSection[] {
  const shown = groups.slice(0, maxGroups);
  const toLines = (waits: boolean) =>
    shown
      .map(([newest]) => newest!)
      .filter((notice) => notice.waits === waits)
      .map((notice) => ({ text: noticeText(language, notice), link: notice.link }));
  const more = groups.length - shown.length;
  const rest = more > 0 ? [{ text: translate(language, "letter", "digest.more", { count: more }), link: null }] : [];
  return [
    { heading: translate(language, "letter", "digest.todo"), lines: toLines(true) },
    { heading: translate(language, "letter", "digest.news"), lines: [...toLines(false), ...rest] },
  ].filter(({ lines }) => lines.length > 0);
}
