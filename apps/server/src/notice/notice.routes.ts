import { sql } from "kysely";
import { noticeCalls, noticeRules, presetChannels } from "@arcada/contract/notice/notice.calls";
import { notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import type { Language } from "../platform/text/texts.ts";
import { noticeText } from "./send-notice.ts";
import { toCategory, toConfig, listKinds } from "./notice-channels.ts";
import { saveAllChoices, saveChannelChoice, listNotices, loadChannelChoices, countUnread } from "./notice.store.ts";

const categories = [0, 1, 2, 3] as const;

export const noticeRoutes = routes(noticeCalls, {
  query: async (_, { db, principal, language }) => {
    const counts = await countUnread(db, principal.uid);
    const category = async (number: number) => {
      const { list } = withTextLines(await listNotices(db, principal.uid, listKinds(number)), language);
      const unread = counts.reduce((sum, row) => sum + (toCategory(row.kind) === number ? row.unread : 0), 0);
      return { list, unread, first: list[0] ?? null, abstract: list[0]?.content ?? "" };
    };
    const [others, orders, members, relations] = await Promise.all(categories.map(category));
    return { info: { "0": others!, "1": orders!, "2": members!, "3": relations! } };
  },

  list: async (input, { db, principal, language }) =>
    withTextLines(await listNotices(db, principal.uid, listKinds(input.categoryID), input.cursor), language),

  watch: async (input, { db, principal }) => {
    const read = await db
      .updateTable("notice")
      .set({ seen_at: sql`now()` })
      .where("user_id", "=", principal.uid)
      .where("kind", "in", listKinds(input.categoryID))
      .where("seen_at", "is", null)
      .$if(input.id !== undefined, (query) => query.where("id", "=", input.id!))
      .executeTakeFirst();
    if (read.numUpdatedRows > 0n) await notifyClients(db, { user: principal.uid }, "notice", principal.uid);
    return null;
  },

  configs: async (_, { db, principal }) => {
    const chosen = await loadChannelChoices(db, principal.uid);
    return categories.flatMap(listKinds).map((kind) => toConfig(kind, chosen.get(kind)));
  },

  applyPreset: async ({ preset }, { db, principal }) => {
    await saveAllChoices(db, principal.uid, (kind) => presetChannels(preset, kind));
    await notifyClients(db, { user: principal.uid }, "notice", principal.uid);
    const chosen = await loadChannelChoices(db, principal.uid);
    return categories.flatMap(listKinds).map((kind) => toConfig(kind, chosen.get(kind)));
  },

  switchConfig: async ({ kind, channel, on }, { db, principal }) => {
    if (channel === "site" && !on && noticeRules.fixed.includes(kind)) refuse("noticeFixed");
    const kept = await saveChannelChoice(db, principal.uid, kind, channel, on);
    await notifyClients(db, { user: principal.uid }, "notice", principal.uid);
    return toConfig(kind, kept);
  },
});

/** Adds the line of text for clients without texts of their own. */
const withTextLines = ({ list, next }: Awaited<ReturnType<typeof listNotices>>, language: Language) => ({
  list: list.map((notice) => ({ ...notice, content: noticeText(language, notice) })),
  next,
});
