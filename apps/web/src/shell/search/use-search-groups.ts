import { IconArrowRight } from "@tabler/icons-react";
import { useEffect, useMemo, useState } from "react";
import { screens } from "@arcada/contract/screens";
import type { ScreenName } from "@arcada/contract/screens";
import type { SearchHit, SearchKind } from "@arcada/contract/search/search.calls";
import { useAppearance } from "../../browser/appearance.ts";
import { useOrderNames } from "../../i18n/order-name.ts";
import { useLanguage, useTexts } from "../../i18n/texts.ts";
import { useRole } from "../../session/current-user.ts";
import { getScreenIcon } from "../screen-icons.ts";
import { findParentScreens, listSearchableScreens } from "../screen-lists.ts";
import { useGuideSearch } from "./guide-entries.ts";
import { listActions, listPatientActions } from "./action-entries.ts";
import { findListScreen, toRecordEntry } from "./record-entries.ts";
import type { SearchEntry, SearchGroup } from "./search-entry.ts";
import { createTitleIndex, loadPinyin } from "./title-index.ts";
import type { ToPinyin } from "./title-index.ts";
import { useRecordSearch } from "./use-record-search.ts";

interface SearchGroups {
  groups: SearchGroup[];
  /** More is to come for this text: results must not change while the user presses Enter. */
  isPending: boolean;
  hasFailed: boolean;
}

/** Everything that a text finds: records first, then pages and actions. Without a text what was opened lately. */
export function useSearchGroups(typed: string): SearchGroups {
  const t = useTexts("shell");
  const text = typed.trim();
  const { found, isPending, hasFailed } = useRecordSearch(typed);
  const toEntry = useRecordEntries();
  const { titles, isLoading } = useTitles(text, found?.groups.flatMap(({ hits }) => hits) ?? []);
  const records = found?.groups.map(({ kind, hits, isMore }) => ({
    id: kind,
    title: t(`shell.search.kind.${kind}`),
    entries: [...hits.map(toEntry), ...(isMore ? toEntry.all(kind, text) : [])],
  }));
  const opened = { id: "opened", title: t("shell.search.opened"), entries: (found?.opened ?? []).map(toEntry) };
  const groups = [...(text === "" ? [opened] : (records ?? [])), ...titles];
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isPending: isPending || (isLoading && text !== ""),
    hasFailed,
  };
}

/** A function that makes the row of a record, and another one (`all`) the row that leads to the whole list. */
function useRecordEntries() {
  const t = useTexts("shell", "order", "patient", "device", "workorder");
  const role = useRole();
  const { name: nameOrder } = useOrderNames();
  const toEntry = (hit: SearchHit): SearchEntry => toRecordEntry(hit, { role, t, nameOrder });
  const all = (kind: SearchKind, text: string): SearchEntry[] => {
    const screen = findListScreen(kind, role);
    if (!screen) return [];
    const title = t("shell.search.all", { list: t(`shell.search.kind.${kind}`) });
    return [
      { id: `all-${kind}`, title, detail: "", Icon: IconArrowRight, target: { screen, search: { search: text } } },
    ];
  };
  return Object.assign(toEntry, { all });
}

/** The pages that the role may open and the actions that it may take, by their titles and for the found records. */
function useTitles(text: string, hits: readonly SearchHit[]) {
  const t = useTexts("shell");
  const role = useRole();
  const { toPinyin, isLoading } = usePinyin();
  const { dark: isDark } = useAppearance();
  const searchGuide = useGuideSearch(toPinyin);
  const index = useMemo(() => {
    const title = (name: ScreenName) => t(`shell.screen.${screens[name].title}`);
    const pages = listSearchableScreens(role).map((name): SearchEntry => ({
      id: `page-${name}`,
      title: title(name),
      detail: role ? findParentScreens(name, role).map(title).join(" / ") : "",
      Icon: getScreenIcon(name),
      target: { screen: name },
    }));
    return {
      pages: createTitleIndex(pages, toPinyin),
      actions: createTitleIndex(listActions({ role, t, isDark }), toPinyin),
    };
  }, [role, t, toPinyin, isDark]);
  const hasHits = hits.length > 0;
  const patient = hits.find((hit) => hit.kind === "patient");
  const forPatient = patient && text !== "" ? listPatientActions({ role, t, isDark }, patient) : [];
  const pages = { id: "pages", title: t("shell.search.pages"), entries: index.pages(text, hasHits) };
  const actions = {
    id: "actions",
    title: t("shell.search.actions"),
    entries: [...forPatient, ...index.actions(text, hasHits)],
  };
  const guide = { id: "guide", title: t("shell.search.guide"), entries: searchGuide(text, hasHits) };
  return { titles: text === "" ? [actions, pages] : [pages, actions, guide], isLoading };
}

/** The pinyin of titles, for Chinese readers. Without the dictionary titles are still found by their characters. */
function usePinyin(): { toPinyin: ToPinyin | null; isLoading: boolean } {
  const language = useLanguage();
  const { pinyin } = useAppearance();
  const isWanted = language === "zh" && pinyin;
  const [loaded, setLoaded] = useState<{ toPinyin: ToPinyin | null } | null>(null);
  useEffect(() => {
    if (isWanted)
      void loadPinyin()
        .catch(() => null)
        .then((toPinyin) => setLoaded({ toPinyin }));
  }, [isWanted]);
  return isWanted
    ? { toPinyin: loaded?.toPinyin ?? null, isLoading: loaded === null }
    : { toPinyin: null, isLoading: false };
}
