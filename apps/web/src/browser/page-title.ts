import { useEffect } from "react";
import { onSessionCleared } from "./session-lifecycle.ts";
import { createStore, useStore } from "./external-store.ts";

/** Titles that pages set for themselves, such as a patient's name, by the key that `placeOf` returns. */
const titles = createStore<Record<string, string>>({});
export const usePageTitles = (): Record<string, string> => useStore(titles);
// The next user of this browser may not be allowed to know a name. Subscribers are not notified: the remaining
// components would render once more and fetch their data without a session.
onSessionCleared(() => {
  const known = titles.get();
  for (const pageKey of Object.keys(known)) delete known[pageKey];
});

/** Sets titles of pages that are not open; a title that a page has set itself is kept. */
export const setPageTitles = (named: Record<string, string>): void => titles.set((known) => ({ ...named, ...known }));

/** The key of a page: one list with other filters is the same page; two patients are two. */
export function getPageKey(href: string): string {
  const { pathname, searchParams } = new URL(href, "http://here");
  const recordId = searchParams.get("id") ?? searchParams.get("study");
  return recordId ? `${pathname}?${recordId}` : pathname;
}

/**
 * Names the page in the tabs bar, the breadcrumb and the browser's tab, as soon as the name is known. `id`: the record
 * that the page has changed to while it stayed open; the browser's address follows a moment later.
 */
export function usePageTitle(title: string | undefined, id?: string): void {
  useEffect(() => {
    if (!title) return;
    const pageKey = id ? `${location.pathname}?${id}` : getPageKey(location.href);
    titles.set((known) => (known[pageKey] === title ? known : { ...known, [pageKey]: title }));
  }, [title, id]);
}
