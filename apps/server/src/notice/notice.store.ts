import { sql } from "kysely";
import { managerRoles, roles } from "@arcada/contract/kernel/roles";
import { noticeKinds, noticeRules } from "@arcada/contract/notice/notice.calls";
import type { NoticeChannel, NoticeKind } from "@arcada/contract/notice/notice.calls";
import { sendPipelined } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { prepared } from "../platform/database/prepared-statements.ts";
import type { Column, Row } from "../tables/row.ts";

export type ChannelChoice = { site: Column<"notice_switch", "site">; email: Column<"notice_switch", "email"> };
/** A recipient of a notice: their choices that differ from the defaults, and their e-mail address. */
export type NoticeRecipient = ChannelChoice &
  Row<"users", "id" | "language"> & { address: Column<"contact", "value"> | null };

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
  const list = rows.slice(0, noticeRules.pageSize).map((row) => ({
    id: row.id,
    kind: row.kind,
    params: row.params,
    link: row.link,
    iid: row.institution_id,
    seen: row.seen_at !== null,
    time: row.created_at,
  }));
  return { list, next: rows.length > list.length ? (list.at(-1)?.id ?? null) : null };
}

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
  const found =
    await sql<NoticeRecipient>`${prepared} select u.id, u.language, c.value as address, s.site, s.email from users u
    left join contact c on c.user_id = u.id and c.kind = 'email'
    left join notice_switch s on s.user_id = u.id and s.kind = ${kind}
    where u.id = any(${users}::uuid[]) and u.suspended_at is null`.execute(db);
  return found.rows;
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

/** Writes one notice for each of these users; returns the recipients with their notices. */
export function insertNotices(
  db: Db,
  users: string[],
  notice: { kind: NoticeKind; params: Record<string, string>; link: string; institutions?: string[] },
): { id: string; user: string }[] {
  const made = users.map((user) => ({ id: newId(), user }));
  if (made.length > 0)
    sendPipelined(
      db,
      sql`${prepared} insert into notice (id, user_id, kind, params, link, institution_id)
      select id, user_id, ${notice.kind}, ${JSON.stringify(notice.params)}::jsonb, ${notice.link},
        (select m.institution_id from membership m where m.user_id = made.user_id and m.state = 'normal'
          and m.institution_id = any(${notice.institutions ?? []}::uuid[]) order by m.joined_at limit 1)
      from unnest(${made.map(({ id }) => id)}::uuid[], ${users}::uuid[]) as made (id, user_id)`,
    );
  return made;
}
