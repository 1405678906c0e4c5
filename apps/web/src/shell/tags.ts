import { createStore } from "../kernel/store.ts";
import { placeOf } from "../kernel/page-title.ts";
import { onForget } from "../kernel/sign-in.ts";

/** A tab: the place of a visited page, and its address with the filters. */
export interface Tag {
  place: string;
  href: string;
}

const most = 20;
const key = "arcada.tags";
export const tags = createStore<Tag[]>(kept());
tags.subscribe(() => {
  try {
    sessionStorage.setItem(key, JSON.stringify(tags.get()));
  } catch {
    // Storage is refused or full: the tabs last as long as the page.
  }
});
onForget(() => tags.set([]));

export const visited = (now: readonly Tag[], href: string): Tag[] => {
  const tag = { place: placeOf(href), href };
  const isThere = now.some(({ place }) => place === tag.place);
  return isThere ? now.map((one) => (one.place === tag.place ? tag : one)) : [...now, tag].slice(-most);
};

export const without = (now: readonly Tag[], place: string): Tag[] => now.filter((one) => one.place !== place);

/**
 * Returns the page to open after closing a tab: from the current page the last remaining tab, or home; null for other
 * tabs.
 */
export const afterClosing = (left: readonly Tag[], closed: string, active: string, home: string): string | null =>
  closed === active ? (left.at(-1)?.href ?? home) : null;

function kept(): Tag[] {
  try {
    const found = JSON.parse(sessionStorage.getItem(key) ?? "[]") as Tag[];
    return found.filter(({ place, href }) => typeof place === "string" && typeof href === "string").slice(-most);
  } catch {
    return [];
  }
}
