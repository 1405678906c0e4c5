import { guidePageNames } from "@arcada/contract/help/user-guide";
import type { GuidePageName } from "@arcada/contract/help/user-guide";
import type { GuideContent } from "./guide-content.ts";

type SearchedPage = Pick<GuideContent, "title" | "keywords" | "searchText">;

/**
 * Returns the pages that contain all typed words: first those with the words in the title, then those that explain the
 * words of the interface, then those that only mention them; each in the order of the guide.
 */
export function findGuidePages(pages: Record<GuidePageName, SearchedPage>, typed: string): GuidePageName[] {
  const hasAll = createWordMatcher(typed);
  const tiers: ((page: SearchedPage) => string)[] = [
    ({ title }) => title.toLowerCase(),
    ({ title, keywords }) => `${title.toLowerCase()} ${keywords}`,
    ({ searchText }) => searchText,
  ];
  return [...new Set(tiers.flatMap((read) => guidePageNames.filter((name) => hasAll(read(pages[name])))))];
}

/** Returns whether a text in lower case contains all typed words; no text contains those of an empty one. */
export function createWordMatcher(typed: string): (text: string) => boolean {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => words.length > 0 && words.every((word) => text.includes(word));
}
