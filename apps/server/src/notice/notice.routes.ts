import { sql } from "kysely";
import { noticeCalls, noticeCategories, noticeKinds } from "@arcada/contract/notice/notice.calls";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import { tellTabs } from "../kernel/events.ts";
import { routes } from "../kernel/serve.ts";

const shown = 50;
const kindsOf = (category: number): NoticeKind[] =>
  (Object.keys(noticeKinds) as NoticeKind[]).filter((kind) => noticeCategories[noticeKinds[kind]] === category);

export const noticeRoutes = routes(noticeCalls, {
  query: async (_, { db, asker }) => {
    const category = async (number: number) => {
      const kinds = kindsOf(number);
      const rows = await db
        .selectFrom("notice")
        .selectAll()
        .where("user_id", "=", asker.uid)
        .where("kind", "in", kinds)
        .orderBy("created_at", "desc")
        .limit(shown)
        .execute();
      const list = rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        params: row.params,
        link: row.link,
        seen: row.seen_at !== null,
        time: row.created_at,
      }));
      const unread = await db
        .selectFrom("notice")
        .select(sql<number>`count(*)::int`.as("count"))
        .where("user_id", "=", asker.uid)
        .where("kind", "in", kinds)
        .where("seen_at", "is", null)
        .executeTakeFirstOrThrow();
      return { list, unread: unread.count, first: list[0] ?? null };
    };
    return { info: { "0": await category(0), "1": await category(1), "2": await category(2), "3": await category(3) } };
  },

  watch: async (input, { db, asker }) => {
    await db
      .updateTable("notice")
      .set({ seen_at: sql`now()` })
      .where("user_id", "=", asker.uid)
      .where("kind", "in", kindsOf(input.categoryID))
      .where("seen_at", "is", null)
      .execute();
    await tellTabs(db, { user: asker.uid }, "notice", asker.uid);
    return null;
  },
});
