import { sql } from "kysely";
import { z } from "zod";
import { timestampInput } from "@arcada/contract/kernel/fields";
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
  const rows: GroupRow[] = await db
    .selectFrom("notice")
    .select([
      "topic",
      sql<string>`max(changed_at)`.as("at"),
      sql<number>`count(*)::int`.as("notices"),
      sql<boolean>`bool_or(seen_at is null)`.as("unread"),
      sql<boolean>`bool_or(waits)`.as("waits"),
    ])
    .where("user_id", "=", uid)
    .$if(which === "todo", (query) =>
      query.where("topic", "in", (inner) =>
        inner.selectFrom("notice").select("topic").where("user_id", "=", uid).where("waits", "=", true),
      ),
    )
    .groupBy("topic")
    .$if(after !== null, (query) =>
      query.having(sql<boolean>`(max(changed_at), topic) < (${after!.at}::timestamptz, ${after!.topic})`),
    )
    .orderBy("at", "desc")
    .orderBy("topic", "desc")
    .limit(noticeRules.pageSize + 1)
    .execute();
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
  const place = sql<number>`row_number() over (partition by topic order by waits desc, changed_at desc, id desc)`;
  const rows = await db
    .selectFrom((inner) =>
      inner
        .selectFrom("notice")
        .selectAll()
        .select(place.as("place"))
        .where("user_id", "=", uid)
        .where("topic", "in", topics)
        .as("ranked"),
    )
    .selectAll()
    .where("place", "<=", maxShown)
    .orderBy("topic")
    .orderBy("place")
    .execute();
  const byTopic = Map.groupBy(rows, ({ topic }) => topic);
  return new Map([...byTopic].map(([topic, found]) => [topic, found.map(toNotice)]));
}

export const countGroups = (db: Db, uid: string): Promise<{ unread: number; todo: number }> =>
  db
    .selectFrom("notice")
    .select([
      sql<number>`count(distinct topic) filter (where seen_at is null)::int`.as("unread"),
      sql<number>`count(distinct topic) filter (where waits)::int`.as("todo"),
    ])
    .where("user_id", "=", uid)
    .where(sql<boolean>`(seen_at is null or waits)`)
    .executeTakeFirstOrThrow();

/** The topic of the notices of an order, and of the images of one upload. */
export const orderTopic = (order: string): string => `order:${order}`;
export const imagesTopic = (patient: string, upload: string): string => `images:${patient}:${upload}`;
function parseTopic(topic: string): { orderId: string | null; patientId: string | null } {
  const [kind, subject = ""] = topic.split(":");
  const id = z.uuid().safeParse(subject).data ?? null;
  return { orderId: kind === "order" ? id : null, patientId: kind === "images" ? id : null };
}

const cursorShape = z.tuple([timestampInput, z.string().max(200).refine(isStorable)]);
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
