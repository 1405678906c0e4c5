import { IconHelpCircle } from "@tabler/icons-react";
import { useEffect, useMemo, useState } from "react";
import { hasAccess } from "@arcada/contract/kernel/roles";
import { guidePages } from "@arcada/contract/help/user-guide";
import { createWordMatcher } from "../../help/find-guide-pages.ts";
import type { GuideIndexEntry } from "../../help/guide-content.ts";
import { loadGuideIndex } from "../../help/guide-index.ts";
import { useLanguage } from "../../i18n/texts.ts";
import { useRole } from "../../session/current-user.ts";
import type { SearchEntry } from "./search-entry.ts";
import { createTitleIndex } from "./title-index.ts";
import type { ToPinyin } from "./title-index.ts";

const mostEntries = 4;

/** Finds pages of the user guide that describe work of the role. An empty text finds none. */
export function useGuideSearch(toPinyin: ToPinyin | null): (text: string, isExact: boolean) => SearchEntry[] {
  const language = useLanguage();
  const role = useRole();
  const [entries, setEntries] = useState<readonly GuideIndexEntry[]>([]);
  useEffect(() => {
    let isCurrent = true;
    // Without the guide the search still finds everything else.
    loadGuideIndex(language).then(
      (loaded) => isCurrent && setEntries(loaded),
      () => {},
    );
    return () => void (isCurrent = false);
  }, [language]);
  return useMemo(() => {
    const readable = entries
      .filter(({ name }) => hasAccess(guidePages[name].readers, role))
      .map(({ name, title, summary, keywords }) => ({
        id: `guide-${name}`,
        title,
        detail: summary,
        keywords,
        Icon: IconHelpCircle,
        target: { screen: "help" as const, search: { page: name } },
      }));
    const searchTitles = createTitleIndex(readable, toPinyin);
    return (text, isExact) => {
      const explainsText = createWordMatcher(text);
      const found = new Set([
        ...(text === "" ? [] : searchTitles(text, isExact)),
        ...readable.filter(({ title, keywords }) => explainsText(`${title.toLowerCase()} ${keywords}`)),
      ]);
      return [...found].slice(0, mostEntries);
    };
  }, [entries, role, toPinyin]);
}
