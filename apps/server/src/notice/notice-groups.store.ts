import { sql } from "kysely";
import { z } from "zod";
import { isStorable } from "@arcada/contract/kernel/storable-text";
import { noticeRules } from "@arcada/contract/notice/notice.calls";
import type { Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Row } from "../tables/row.ts";
import { toNotice } from "./notice.store.ts";

interface GroupRow extends Row<"notice", "topic" | "waits"> {
  at: string;
  notices: number;
  unread: boolean;
}
/** The notice in the head of a group, and as many before it. */
const maxShown = 4;

/** Returns a page of a user's notices by what they are about, the group with the newest first. */
export async function listGroups(db: Db, uid: string, which: "todo" | "all", cursor: string | undefined) {
  const after = readCursor(cursor);
  const { rows } = await sql<GroupRow>`select topic, max(changed_at) as at, count(*)::int as notices,
      bool_or(seen_at is null) as unread, bool_or(waits) as waits
    from notice where user_id = ${uid}
      ${which === "todo" ? sql`and topic in (select topic from notice where user_id = ${uid} and waits)` : sql``}
    group by topic ${after ? sql`having (max(changed_at), topic) < (${after.at}::timestamptz, ${after.topic})` : sql``}
    order by 2 desc, 1 desc limit ${noticeRules.pageSize + 1}`.execute(db);
  const groups = rows.slice(0, noticeRules.pageSize);
  const notices = await readShownNotices(
    db,
    uid,
    groups.map(({ topic }) => topic),
  );
  const list = groups.flatMap(({ topic, waits, unread, notices: count }) => {
    const [newest, ...earlier] = notices.get(topic) ?? [];
    return newest ? [{ topic, notice: newest, earlier, notices: count, unread, waits, ...parseTopic(topic) }] : [];
  });
  return { list, next: rows.length > groups.length ? writeCursor(groups.at(-1)!) : null };
}

/** The head of a group says what is to be done, also if something was reported after it. */
async function readShownNotices(db: Db, uid: string, topics: string[]) {
  if (topics.length === 0) return new Map<string, ReturnType<typeof toNotice>[]>();
  const { rows } = await sql<Row<"notice">>`select * from (select n.*, row_number() over (
        partition by topic order by waits desc, changed_at desc, id desc) as place
      from notice n where user_id = ${uid} and topic = any(${topics}::text[])) ranked
    where place <= ${maxShown} order by topic, place`.execute(db);
  const byTopic = Map.groupBy(rows, ({ topic }) => topic);
  return new Map([...byTopic].map(([topic, found]) => [topic, found.map(toNotice)]));
}

export async function countGroups(db: Db, uid: string): Promise<{ unread: number; todo: number }> {
  const { rows } = await sql<{ unread: number; todo: number }>`select
      count(distinct topic) filter (where seen_at is null)::int as unread,
      count(distinct topic) filter (where waits)::int as todo
    from notice where user_id = ${uid} and (seen_at is null or waits)`.execute(db);
  return rows[0]!;
}

/** The topic of the notices of an order, and of the images of one upload. */
export const orderTopic = (order: string): string => `order:${order}`;
export const imagesTopic = (patient: string, upload: string): string => `images:${patient}:${upload}`;
function parseTopic(topic: string): { orderId: string | null; patientId: string | null } {
  const [kind, subject = ""] = topic.split(":");
  const id = z.uuid().safeParse(subject).data ?? null;
  return { orderId: kind === "order" ? id : null, patientId: kind === "images" ? id : null };
}

const cursorShape = z.tuple([z.iso.datetime(), z.string().max(200).refine(isStorable)]);
const writeCursor = ({ at, topic }: GroupRow): string =>
  Buffer.from(JSON.stringify([new Date(at).toISOString(), topic])).toString("base64url");
function readCursor(cursor: string | undefined): { at: string; topic: string } | null {
  if (cursor === undefined) return null;
  const read = cursorShape.safeParse(parseJson(Buffer.from(cursor, "base64url").toString()));
  if (!read.success) return refuse("badInput", { cursor: "cursorUnknown" });
  const [at, topic] = read.data;
  return { at, topic };
}
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
