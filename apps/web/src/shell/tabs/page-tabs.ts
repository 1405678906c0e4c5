import { screens } from "@arcada/contract/screens";
import { createStore } from "../../browser/external-store.ts";
import { getPageKey } from "../../browser/page-title.ts";
import { onSessionCleared } from "../../browser/session-lifecycle.ts";

/** A tab: the place of a visited page, and its address with the filters. */
export interface PageTab {
  place: string;
  href: string;
}

const maxTabs = 20;
const key = "arcada.tags";
export const pageTabs = createStore<PageTab[]>(readStoredTabs());
pageTabs.subscribe(() => {
  try {
    sessionStorage.setItem(key, JSON.stringify(pageTabs.get()));
  } catch {
    // Storage is refused or full: the tabs last as long as the page.
  }
});
onSessionCleared(() => pageTabs.set([]));

export const addVisitedPage = (now: readonly PageTab[], href: string): PageTab[] => {
  const tag = { place: getPageKey(href), href };
  const isThere = now.some(({ place }) => place === tag.place);
  return isThere ? now.map((one) => (one.place === tag.place ? tag : one)) : [...now, tag].slice(-maxTabs);
};

export const removeTab = (now: readonly PageTab[], place: string): PageTab[] =>
  now.filter((one) => one.place !== place);

/**
 * Returns the page to open after closing a tab: from the current page the last remaining tab, or home; null for other
 * tabs.
 */
export const findPageAfterClosing = (
  left: readonly PageTab[],
  closed: string,
  active: string,
  home: string,
): string | null => (closed === active ? (left.at(-1)?.href ?? home) : null);

/** The screens whose tabs are named after the record that they show. */
const namedScreens = ["patientDetail", "orderDetail", "sendPage"] as const;
export type NamedScreen = (typeof namedScreens)[number];

/** Returns the records whose names these tabs show. */
export const listNamedRecords = (tabs: readonly PageTab[]): { screen: NamedScreen; id: string }[] =>
  tabs.flatMap(({ place }) => {
    const [path, id] = place.split("?");
    const screen = namedScreens.find((name) => screens[name].path === path);
    return screen && id ? [{ screen, id }] : [];
  });

function readStoredTabs(): PageTab[] {
  try {
    const found = JSON.parse(sessionStorage.getItem(key) ?? "[]") as PageTab[];
    return found.filter(({ place, href }) => typeof place === "string" && typeof href === "string").slice(-maxTabs);
  } catch {
    return [];
  }
}
