import { sql } from "kysely";
import { managerRoles, roles } from "@arcada/contract/kernel/roles";
import { noticeKinds, noticeRules } from "@arcada/contract/notice/notice.calls";
import type { NoticeChannel, NoticeKind } from "@arcada/contract/notice/notice.calls";
import { settledKinds, waitingKinds } from "@arcada/contract/notice/notice-presets";
import { resolveZone } from "../domain/institution-time-zone.ts";
import { sendPipelined } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { asPrepared, prepared } from "../platform/database/prepared-statements.ts";
import type { Column, Row } from "../tables/row.ts";

export type ChannelChoice = { site: Column<"notice_switch", "site">; email: Column<"notice_switch", "email"> };
/** A recipient of a notice: what they have chosen, and their e-mail address. */
export type NoticeRecipient = ChannelChoice & {
  preset: Column<"notice_preference", "preset"> | null;
  mail: Column<"notice_preference", "mail"> | null;
  address: Column<"contact", "value"> | null;
} & Row<"users", "id" | "language">;

/** Returns a page of a user's notices, newest first. Ids sort by the time at which they were made. */
export async function listNotices(db: Db, uid: string, kinds: NoticeKind[], before?: string) {
  const rows = await db
    .selectFrom("notice")
    .selectAll()
    .where("user_id", "=", uid)
    .where("kind", "in", kinds)
    .$if(before !== undefined, (query) => query.where("id", "<", before!))
    .orderBy("id", "desc")
    .limit(noticeRules.pageSize + 1)
    .execute();
  const list = rows.slice(0, noticeRules.pageSize).map(toNotice);
  return { list, next: rows.length > list.length ? (list.at(-1)?.id ?? null) : null };
}

export const toNotice = (row: Row<"notice">) => ({
  id: row.id,
  kind: row.kind,
  params: row.params,
  link: row.link,
  iid: row.institution_id,
  seen: row.seen_at !== null,
  count: row.count,
  time: row.changed_at,
});

export const countUnread = (db: Db, uid: string): Promise<{ kind: NoticeKind; unread: number }[]> =>
  db
    .selectFrom("notice")
    .select(["kind", sql<number>`count(*)::int`.as("unread")])
    .where("user_id", "=", uid)
    .where("seen_at", "is", null)
    .groupBy("kind")
    .execute();

/** Returns the choices of a user that differ from the defaults, by kind. */
export async function loadChannelChoices(db: Db, uid: string): Promise<Map<NoticeKind, ChannelChoice>> {
  const rows = await db.selectFrom("notice_switch").selectAll().where("user_id", "=", uid).execute();
  return new Map(rows.map(({ kind, site, email }) => [kind, { site, email }]));
}

export async function saveChannelChoice(
  db: Db,
  uid: string,
  kind: NoticeKind,
  channel: NoticeChannel,
  on: boolean,
): Promise<ChannelChoice> {
  return db
    .insertInto("notice_switch")
    .values({ user_id: uid, kind, site: null, email: null, [channel]: on })
    .onConflict((conflict) => conflict.columns(["user_id", "kind"]).doUpdateSet({ [channel]: on }))
    .returning(["site", "email"])
    .executeTakeFirstOrThrow();
}

/** Replaces a user's choices for all kinds. */
export async function saveAllChoices(
  db: Db,
  uid: string,
  channelsOf: (kind: NoticeKind) => Record<NoticeChannel, boolean>,
): Promise<void> {
  await db
    .insertInto("notice_switch")
    .values((Object.keys(noticeKinds) as NoticeKind[]).map((kind) => ({ user_id: uid, kind, ...channelsOf(kind) })))
    .onConflict((conflict) =>
      conflict.columns(["user_id", "kind"]).doUpdateSet({
        site: (row) => row.ref("excluded.site"),
        email: (row) => row.ref("excluded.email"),
      }),
    )
    .execute();
}

/** Returns those of the users who may still sign in, with their choices for this kind. */
export async function loadRecipients(db: Db, users: string[], kind: NoticeKind): Promise<NoticeRecipient[]> {
  const found = await sql<NoticeRecipient>`${prepared} select u.id, u.language, c.value as address, s.site, s.email,
      p.preset, p.mail from users u
    left join contact c on c.user_id = u.id and c.kind = 'email'
    left join notice_preference p on p.user_id = u.id
    left join notice_switch s on s.user_id = u.id and s.kind = ${kind}
    where u.id = any(${users}::uuid[]) and u.suspended_at is null`.execute(db);
  return found.rows;
}

/** The zone of the organisation of which a reader has been a member longest; none for those who work in no organisation. */
export async function loadReaderZones(db: Db, readers: readonly { id: string }[]): Promise<Map<string, string>> {
  if (readers.length === 0) return new Map();
  const rows = await db
    .selectFrom("membership as m")
    .innerJoin("institution as i", "i.id", "m.institution_id")
    .distinctOn("m.user_id")
    .select(["m.user_id", "i.time_zone", "i.country"])
    .where(
      "m.user_id",
      "in",
      readers.map(({ id }) => id),
    )
    .where("m.state", "=", "normal")
    .orderBy("m.user_id")
    .orderBy("m.joined_at")
    .execute();
  return new Map(rows.map((row) => [row.user_id, resolveZone(row)]));
}

const managerRoleIds = managerRoles.map((role) => roles[role].authorityId);
export const listMembers = async (db: Db, institution: string, within?: readonly number[]): Promise<string[]> =>
  (
    await db
      .selectFrom("membership")
      .select("user_id")
      .where("institution_id", "=", institution)
      .where("state", "=", "normal")
      .$if(within !== undefined, (query) => query.where("authority_id", "in", [...within!]))
      .execute()
  ).map((row) => row.user_id);
export const listManagers = (db: Db, institution: string): Promise<string[]> =>
  listMembers(db, institution, managerRoleIds);

/** A notice that is about to be written for one user. */
export interface NoticeRow {
  user: string;
  /** In the list as read. */
  isSilent: boolean;
  isMailDue: boolean;
}
interface NoticeContent {
  kind: NoticeKind;
  params: Record<string, string>;
  link: string;
  /** The page of several images, where one notice stands for an upload. */
  groupLink?: string;
  topic?: string;
  institutions?: string[];
}

/**
 * Writes one notice for each of these users; returns the recipients with their notices. A further event of an upload
 * changes its notice, which is unread again only if something is to be done.
 */
export function insertNotices(db: Db, rows: NoticeRow[], notice: NoticeContent): { id: string; user: string }[] {
  const made = rows.map((row) => ({ id: newId(), ...row }));
  const waits = waitingKinds.includes(notice.kind);
  if (made.length > 0)
    sendPipelined(
      db,
      sql`${prepared} insert into notice (id, user_id, kind, params, link, topic, waits, mail_due, seen_at, institution_id)
      select id, user_id, ${notice.kind}, ${JSON.stringify(notice.params)}::jsonb, ${notice.link},
        coalesce(${notice.topic ?? null}::text, id::text), ${waits}::boolean, mail_due,
        case when silent then now() end,
        (select m.institution_id from membership m where m.user_id = made.user_id and m.state = 'normal'
          and m.institution_id = any(${withHiddenLength(notice.institutions ?? [])}) order by m.joined_at limit 1)
      from unnest(${withHiddenLength(made.map(({ id }) => id))}, ${made.map(({ user }) => user)}::uuid[],
        ${made.map(({ isSilent }) => isSilent)}::boolean[], ${made.map(({ isMailDue }) => isMailDue)}::boolean[])
        as made (id, user_id, silent, mail_due)
      on conflict (user_id, topic, kind) where kind in ('studyReady', 'studyWaiting') do update set
        count = case when ${waits}::boolean and not notice.waits then 1 else notice.count + 1 end,
        params = excluded.params, link = coalesce(${notice.groupLink ?? null}::text, excluded.link), changed_at = now(),
        waits = excluded.waits, mail_due = notice.mail_due or excluded.mail_due,
        seen_at = case when excluded.waits then excluded.seen_at else notice.seen_at end`,
    );
  return made;
}

/**
 * A list whose length the planner does not know. A plan that knows it seems cheaper than one for any length, so the
 * statement would be planned again for each execution.
 */
const withHiddenLength = (ids: readonly string[]) => sql`(select ${ids}::uuid[])::uuid[]`;

/**
 * Ends what is to be done about a thing, because a later step did it; for everybody, or for the people of one side.
 * Returns the users whose lists have changed.
 */
export async function settleNotices(db: Db, topic: string, institution?: string): Promise<string[]> {
  const update = db
    .updateTable("notice")
    .set({ waits: false, seen_at: sql`coalesce(seen_at, now())` })
    .where("topic", "=", topic)
    // Written literally: a plan for any value could not use the index of those that wait.
    .where("waits", "=", sql.lit(true))
    .where("kind", "in", [...settledKinds])
    .$if(institution !== undefined, (query) => query.where("institution_id", "=", institution!))
    .returning("user_id");
  const { rows: settled } = await db.executeQuery(asPrepared(update.compile()));
  return [...new Set(settled.map(({ user_id }) => user_id))];
}

/** Marks a user's notices as read. Those that no later step settles are done by that. */
export async function markNoticesRead(
  db: Db,
  uid: string,
  which: { topic?: string | undefined; kinds?: NoticeKind[]; id?: string | undefined },
): Promise<boolean> {
  const isOpen = sql<boolean>`(seen_at is null or (waits and kind <> all(${[...settledKinds]}::text[])))`;
  const read = await db
    .updateTable("notice")
    .set({
      seen_at: sql`coalesce(seen_at, now())`,
      waits: sql<boolean>`waits and kind = any(${[...settledKinds]}::text[])`,
    })
    .where("user_id", "=", uid)
    .where(isOpen)
    .$if(which.topic !== undefined, (query) => query.where("topic", "=", which.topic!))
    .$if(which.kinds !== undefined, (query) => query.where("kind", "in", which.kinds!))
    .$if(which.id !== undefined, (query) => query.where("id", "=", which.id!))
    .executeTakeFirst();
  return read.numUpdatedRows > 0n;
}
