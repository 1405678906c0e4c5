import { guidePageNames } from "@arcada/contract/help/user-guide";
import type { GuidePageName } from "@arcada/contract/help/user-guide";
import type { GuideContent } from "./guide-content.ts";

/** Returns the pages that contain all typed words: first those that have one in the title, then in the order of the guide. */
export function findGuidePages(
  pages: Record<GuidePageName, Pick<GuideContent, "title" | "searchText">>,
  typed: string,
): GuidePageName[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = guidePageNames.filter((name) => words.every((word) => pages[name].searchText.includes(word)));
  const isInTitle = (name: GuidePageName): boolean =>
    words.some((word) => pages[name].title.toLowerCase().includes(word));
  return [...found.filter(isInTitle), ...found.filter((name) => !isInTitle(name))];
}
