import { sql } from "kysely";
import { languages } from "@arcada/contract/kernel/languages";
import { localTimeIn, utcZone } from "@arcada/contract/kernel/time-zone";
import { digestHour } from "@arcada/contract/notice/notice-presets";
import { screens } from "@arcada/contract/screens";
import { resolveZone } from "../domain/institution-time-zone.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { queueEmails } from "../platform/mail/email-queue.ts";
import type { EmailSection } from "../platform/mail/email-queue.ts";
import { logEvent } from "../platform/telemetry/log.ts";
import { translate } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import type { Row } from "../tables/row.ts";
import { noticeText } from "./send-notice.ts";

/** People are read in pages of this size. */
const maxPeople = 500;
/** The email names no more groups than this; the rest stands in Arcada. */
const maxGroups = 30;

/**
 * Sends the daily email to everybody for whom it is due: something waits for it, it is past 8 o'clock where they work,
 * and none was sent on that day. Safe in several processes: the row of a person is locked while their email is made.
 */
export async function sendDailyEmails(database: Database, now = new Date()): Promise<number> {
  let sent = 0;
  let after: string | null = null;
  for (;;) {
    const people: WaitingPerson[] = await database.asSystem((db) => listPeopleWithMail(db, after));
    for (const person of people) {
      const day = findDueDay(person, now);
      if (day === null) continue;
      // The email of one person that cannot be made keeps nobody else's back.
      const isSent = await database
        .asSystem((db) => sendDailyEmail(db, person, day))
        .catch((error: unknown) => {
          logEvent("error", "notice", "a daily email could not be made", { error: String((error as Error).name) });
          return false;
        });
      if (isSent) sent++;
    }
    if (people.length < maxPeople) return sent;
    after = people.at(-1)!.user_id;
  }
}

/** A person works where they have been a member longest. */
const listPeopleWithMail = (db: Db, after: string | null) =>
  db
    .selectFrom("notice_preference as p")
    .leftJoinLateral(
      (inner) =>
        inner
          .selectFrom("membership as m")
          .innerJoin("institution as i", "i.id", "m.institution_id")
          .select(["i.time_zone", "i.country"])
          .whereRef("m.user_id", "=", "p.user_id")
          .where("m.state", "=", "normal")
          .orderBy("m.joined_at")
          .limit(1)
          .as("i"),
      (join) => join.onTrue(),
    )
    .select(["p.user_id", "p.mailed_on", "i.time_zone", "i.country"])
    .where("p.mail", "=", "daily")
    .where(sql<boolean>`exists (select from notice n where n.user_id = p.user_id and n.mail_due)`)
    .$if(after !== null, (query) => query.where("p.user_id", ">", after))
    .orderBy("p.user_id")
    .limit(maxPeople)
    .execute();
type WaitingPerson = Awaited<ReturnType<typeof listPeopleWithMail>>[number];

const zoneOf = ({ time_zone, country }: WaitingPerson): string | null =>
  country === null ? null : resolveZone({ time_zone, country });

/** The local day whose email is due; null if it is too early or was sent. */
function findDueDay(person: WaitingPerson, now: Date): string | null {
  const { mailed_on } = person;
  const local = localTimeIn(zoneOf(person) ?? utcZone, now);
  const day = local.slice(0, 10);
  return Number(local.slice(11, 13)) >= digestHour && mailed_on !== day ? day : null;
}

async function sendDailyEmail(db: Db, person: WaitingPerson, day: string): Promise<boolean> {
  const { user_id: uid } = person;
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
      sections: buildSections(language, zoneOf(person), groups),
    },
  ]);
  return true;
}

/** Takes the notices that are due, without those that were read in Arcada before; those that wait come first. */
async function takeDueNotices(db: Db, uid: string): Promise<Row<"notice">[]> {
  // A person who was removed from an organisation gets no more news of it.
  const memberships = await db
    .selectFrom("membership")
    .select("institution_id")
    .where("user_id", "=", uid)
    .where("state", "=", "normal")
    .execute();
  const memberOf = new Set(memberships.map(({ institution_id }) => institution_id));
  const due = await db
    .updateTable("notice")
    .set({ mail_due: false })
    .where("user_id", "=", uid)
    .where("mail_due", "=", true)
    .returningAll()
    .execute();
  return due
    .filter(({ seen_at, created_at }) => seen_at === null || seen_at === created_at)
    .filter(({ institution_id }) => institution_id === null || memberOf.has(institution_id))
    .toSorted(
      (one, other) =>
        Number(other.waits) - Number(one.waits) || Date.parse(other.changed_at) - Date.parse(one.changed_at),
    );
}

const findReader = (db: Db, uid: string): Promise<{ language: string | null; address: string } | undefined> =>
  db
    .selectFrom("users as u")
    .innerJoin("contact as c", (join) => join.onRef("c.user_id", "=", "u.id").on("c.kind", "=", "email"))
    .select(["u.language", "c.value as address"])
    .where("u.id", "=", uid)
    .where("u.suspended_at", "is", null)
    .executeTakeFirst();

/** One line for each group: what is to be done in it, else what came last. */
function buildSections(language: Language, zone: string | null, groups: readonly Row<"notice">[][]): EmailSection[] {
  const shown = groups.slice(0, maxGroups);
  const toLines = (waits: boolean) =>
    shown
      .map(([newest]) => newest!)
      .filter((notice) => notice.waits === waits)
      .map((notice) => ({ text: noticeText(language, zone, notice), link: notice.link }));
  const more = groups.length - shown.length;
  const rest = more > 0 ? [{ text: translate(language, "letter", "digest.more", { count: more }), link: null }] : [];
  return [
    { heading: translate(language, "letter", "digest.todo"), lines: toLines(true) },
    { heading: translate(language, "letter", "digest.news"), lines: [...toLines(false), ...rest] },
  ].filter(({ lines }) => lines.length > 0);
}
