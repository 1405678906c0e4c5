import Fuse from "fuse.js";
import type { ScreenName } from "@arcada/contract/screens";

export interface SearchEntry {
  name: ScreenName;
  title: string;
  /** The titles of its parents, as in the breadcrumb. */
  trail: string;
  /** The pinyin of the title, in full and as initials, for languages that are typed that way. */
  full?: string;
  initials?: string;
}
export type ToPinyin = (text: string) => { full: string; initials: string };

export const fuzzyThreshold = 0.4;

/** Searches screens by typed text, the best first. An empty text returns all, in their order. */
export function createSearchIndex(
  entries: readonly SearchEntry[],
  pinyin: ToPinyin | null,
): (typed: string) => SearchEntry[] {
  const known = pinyin ? entries.map((entry) => ({ ...entry, ...pinyin(entry.title) })) : entries;
  const fuse = new Fuse(known, {
    threshold: fuzzyThreshold,
    keys: [
      { name: "title", weight: 3 },
      { name: "full", weight: 2 },
      { name: "initials", weight: 2 },
      { name: "trail", weight: 1 },
    ],
  });
  return (typed) => (typed.trim() === "" ? [...known] : fuse.search(typed.trim()).map(({ item }) => item));
}

/** Loads the pinyin of Chinese titles. The dictionary is large, so it is loaded only for a search in Chinese. */
export async function loadPinyin(): Promise<ToPinyin> {
  const { pinyin } = await import("pinyin-pro");
  return (text) => ({
    full: pinyin(text, { toneType: "none", type: "array" }).join(""),
    initials: pinyin(text, { pattern: "first", toneType: "none", type: "array" }).join(""),
  });
}
