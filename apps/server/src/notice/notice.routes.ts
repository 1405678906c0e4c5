import { noticeCalls, noticeCategories, noticeKinds, noticeRules } from "@arcada/contract/notice/notice.calls";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import { noticeGroupCalls } from "@arcada/contract/notice/notice-group.calls";
import { findDelivery } from "@arcada/contract/notice/notice-presets";
import type { ChosenPreset } from "@arcada/contract/notice/notice-presets";
import { notifyClients } from "../platform/events/events.ts";
import type { Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import type { Language } from "../platform/text/texts.ts";
import { noticeText } from "./send-notice.ts";
import { countGroups, listGroups } from "./notice-groups.store.ts";
import { leavePreset, loadPreferences, saveMailMode, savePreset } from "./notice-preferences.store.ts";
import type { ChannelChoice } from "./notice.store.ts";
import { countUnread, listNotices, loadChannelChoices, markNoticesRead, saveChannelChoice } from "./notice.store.ts";

const categories = [0, 1, 2, 3] as const;

export const noticeRoutes = routes(noticeCalls, {
  query: async (_, { db, principal, language }) => {
    const counts = await countUnread(db, principal.uid);
    const category = async (number: number) => {
      const { list } = withTextLines(
        await listNotices(db, principal.uid, listKinds(number)),
        language,
        zoneOf(principal),
      );
      const unread = counts.reduce((sum, row) => sum + (toCategory(row.kind) === number ? row.unread : 0), 0);
      return { list, unread, first: list[0] ?? null, abstract: list[0]?.content ?? "" };
    };
    const [others, orders, members, relations] = await Promise.all(categories.map(category));
    return { info: { "0": others!, "1": orders!, "2": members!, "3": relations! } };
  },

  list: async (input, { db, principal, language }) =>
    withTextLines(
      await listNotices(db, principal.uid, listKinds(input.categoryID), input.cursor),
      language,
      zoneOf(principal),
    ),

  watch: async (input, { db, principal }) => {
    await markRead(db, principal.uid, { kinds: listKinds(input.categoryID), id: input.id });
    return null;
  },

  configs: async (_, { db, principal }) => {
    const { preset } = await loadPreferences(db, principal.uid);
    const chosen = await loadChannelChoices(db, principal.uid);
    return categories.flatMap(listKinds).map((kind) => toConfig(kind, preset, chosen.get(kind)));
  },

  switchConfig: async ({ kind, channel, on }, { db, principal }) => {
    if (channel === "site" && !on && noticeRules.fixed.includes(kind)) refuse("noticeFixed");
    await leavePreset(db, principal.uid);
    const kept = await saveChannelChoice(db, principal.uid, kind, channel, on);
    await notifyClients(db, { user: principal.uid }, "notice", principal.uid);
    return toConfig(kind, "custom", kept);
  },
});

export const noticeGroupRoutes = routes(noticeGroupCalls, {
  groups: async ({ which, cursor }, { db, principal, language }) => {
    const { list, next } = await listGroups(db, principal.uid, which, cursor);
    const withLine = withTextLine(language, zoneOf(principal));
    return {
      list: list.map((group) => ({
        ...group,
        notice: withLine(group.notice),
        earlier: group.earlier.map(withLine),
      })),
      next,
      ...(await countGroups(db, principal.uid)),
    };
  },

  markRead: async ({ topic }, { db, principal }) => {
    await markRead(db, principal.uid, { topic });
    return null;
  },

  preferences: (_, { db, principal }) => loadPreferences(db, principal.uid),

  preset: async ({ preset }, { db, principal }) => {
    await savePreset(db, principal.uid, preset);
    return loadChangedPreferences(db, principal.uid);
  },

  mail: async ({ mail }, { db, principal }) => {
    await saveMailMode(db, principal.uid, mail);
    return loadChangedPreferences(db, principal.uid);
  },
});

async function markRead(db: Db, uid: string, which: Parameters<typeof markNoticesRead>[2]): Promise<void> {
  if (await markNoticesRead(db, uid, which)) await notifyClients(db, { user: uid }, "notice", uid);
}

async function loadChangedPreferences(db: Db, uid: string) {
  await notifyClients(db, { user: uid }, "notice", uid);
  return loadPreferences(db, uid);
}

/** Adds the line of text for clients without texts of their own. */
const withTextLine =
  (language: Language, zone: string | null) =>
  <N extends { kind: NoticeKind; params: Record<string, string>; count: number }>(notice: N) => ({
    ...notice,
    content: noticeText(language, zone, notice),
  });
const withTextLines = (
  { list, next }: Awaited<ReturnType<typeof listNotices>>,
  language: Language,
  zone: string | null,
) => ({
  list: list.map(withTextLine(language, zone)),
  next,
});
const zoneOf = ({ iid, timeZone }: { iid: string | null; timeZone: string }): string | null =>
  iid === null ? null : timeZone;

/** Numbers on the wire. */
const toCategory = (kind: NoticeKind): number => noticeCategories[noticeKinds[kind]];
const listKinds = (category: number): NoticeKind[] =>
  (Object.keys(noticeKinds) as NoticeKind[]).filter((kind) => toCategory(kind) === category);

const noChoice: ChannelChoice = { site: null, email: null };
/** Returns the switches of a kind for a user with this preset and these choices. */
function toConfig(kind: NoticeKind, preset: ChosenPreset | null, choice: ChannelChoice = noChoice) {
  const { loudness, isEmailed } = findDelivery(kind, { preset, ...choice });
  return {
    kind,
    category: toCategory(kind),
    site: loudness === "loud",
    email: isEmailed,
    fixed: noticeRules.fixed.includes(kind),
  };
}
