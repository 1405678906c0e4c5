import { useEffect } from "react";
import { onForget } from "./sign-in.ts";
import { createStore, useStore } from "./store.ts";

/** What pages call themselves, such as a patient's name, by the place that `placeOf` gives. */
const titles = createStore<Record<string, string>>({});
export const usePageTitles = (): Record<string, string> => useStore(titles);
// The next user of this browser may not be meant to know a name. Nobody is told: what is still on the page would be drawn
// once more and ask for its data without a session.
onForget(() => {
  const known = titles.get();
  for (const place of Object.keys(known)) delete known[place];
});

/** Names pages that are not looked at; what a page calls itself stays. */
export const namePages = (named: Record<string, string>): void => titles.set((known) => ({ ...named, ...known }));

/** Two visits of one list with other filters are one place; two patients are two. */
export function placeOf(href: string): string {
  const { pathname, searchParams } = new URL(href, "http://here");
  const what = searchParams.get("id") ?? searchParams.get("study");
  return what ? `${pathname}?${what}` : pathname;
}

/**
 * Names the page in the tags bar, the breadcrumb and the browser's tab, as soon as the name is known. `id`: of what the page
 * has become while it stood there; the browser's address follows a moment later.
 */
export function usePageTitle(title: string | undefined, id?: string): void {
  useEffect(() => {
    if (!title) return;
    const place = id ? `${location.pathname}?${id}` : placeOf(location.href);
    titles.set((known) => (known[place] === title ? known : { ...known, [place]: title }));
  }, [title, id]);
}
