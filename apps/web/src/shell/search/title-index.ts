import Fuse from "fuse.js";

/** A page or an action. */
export interface Titled {
  title: string;
  /** The parents of a page, as in the breadcrumb. */
  detail: string;
}
export type ToPinyin = (text: string) => { full: string; initials: string };

export const fuzzyThreshold = 0.4;

/**
 * Searches pages and actions by typed text, the best first. An empty text returns all, in their order. `isExact`: without
 * typing mistakes, for a text that is the name of a record.
 */
export function createTitleIndex<T extends Titled>(
  entries: readonly T[],
  toPinyin: ToPinyin | null,
): (typed: string, isExact?: boolean) => T[] {
  const known = entries.map((entry) => ({
    entry,
    title: entry.title,
    detail: entry.detail,
    ...toPinyin?.(entry.title),
  }));
  const fuse = new Fuse(known, {
    threshold: fuzzyThreshold,
    keys: [
      { name: "title", weight: 3 },
      { name: "full", weight: 2 },
      { name: "initials", weight: 2 },
      { name: "detail", weight: 1 },
    ],
  });
  return (typed, isExact = false) => {
    const text = typed.trim();
    if (text === "") return [...entries];
    const found = fuse.search(text).map(({ item }) => item);
    return found.filter((item) => !isExact || containsText(item, text.toLowerCase())).map(({ entry }) => entry);
  };
}

const containsText = ({ title, full, initials }: { title: string } & Partial<ReturnType<ToPinyin>>, text: string) =>
  [title, full, initials].some((name) => name?.toLowerCase().includes(text));

/** Loads the pinyin of Chinese titles. The dictionary is large, so it is loaded only for a search in Chinese. */
export async function loadPinyin(): Promise<ToPinyin> {
  const { pinyin } = await import("pinyin-pro");
  return (text) => ({
    full: pinyin(text, { toneType: "none", type: "array" }).join(""),
    initials: pinyin(text, { pattern: "first", toneType: "none", type: "array" }).join(""),
  });
}
