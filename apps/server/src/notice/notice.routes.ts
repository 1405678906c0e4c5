import { sql } from "kysely";
import { noticeCalls, noticeRules } from "@arcada/contract/notice/notice.calls";
import { notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import type { Language } from "../platform/text/texts.ts";
import { categoryOf, configOf, kindsOf, lineIn } from "./notice.ts";
import { keepSwitch, noticesOf, switchesOf, unreadOf } from "./notice.store.ts";

const categories = [0, 1, 2, 3] as const;

export const noticeRoutes = routes(noticeCalls, {
  query: async (_, { db, asker, language }) => {
    const counts = await unreadOf(db, asker.uid);
    const category = async (number: number) => {
      const { list } = said(await noticesOf(db, asker.uid, kindsOf(number)), language);
      const unread = counts.reduce((sum, row) => sum + (categoryOf(row.kind) === number ? row.unread : 0), 0);
      return { list, unread, first: list[0] ?? null, abstract: list[0]?.content ?? "" };
    };
    const [others, orders, members, relations] = await Promise.all(categories.map(category));
    return { info: { "0": others!, "1": orders!, "2": members!, "3": relations! } };
  },

  list: async (input, { db, asker, language }) =>
    said(await noticesOf(db, asker.uid, kindsOf(input.categoryID), input.cursor), language),

  watch: async (input, { db, asker }) => {
    const read = await db
      .updateTable("notice")
      .set({ seen_at: sql`now()` })
      .where("user_id", "=", asker.uid)
      .where("kind", "in", kindsOf(input.categoryID))
      .where("seen_at", "is", null)
      .$if(input.id !== undefined, (query) => query.where("id", "=", input.id!))
      .executeTakeFirst();
    if (read.numUpdatedRows > 0n) await notifyClients(db, { user: asker.uid }, "notice", asker.uid);
    return null;
  },

  configs: async (_, { db, asker }) => {
    const chosen = await switchesOf(db, asker.uid);
    return categories.flatMap(kindsOf).map((kind) => configOf(kind, chosen.get(kind)));
  },

  switchConfig: async ({ kind, channel, on }, { db, asker }) => {
    if (channel === "site" && !on && noticeRules.fixed.includes(kind)) refuse("noticeFixed");
    const kept = await keepSwitch(db, asker.uid, kind, channel, on);
    await notifyClients(db, { user: asker.uid }, "notice", asker.uid);
    return configOf(kind, kept);
  },
});

/** Adds the line of text for clients without texts of their own. */
const said = ({ list, next }: Awaited<ReturnType<typeof noticesOf>>, language: Language) => ({
  list: list.map((notice) => ({ ...notice, content: lineIn(language, notice) })),
  next,
});
