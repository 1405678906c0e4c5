import { createStore } from "../browser/external-store.ts";

/** A key of the current page and its effect. */
export interface PageShortcut {
  label: string;
  keys: string;
}

/** The keys that only the current page has, for the help about the keyboard; empty on most pages. */
export const pageShortcuts = createStore<readonly PageShortcut[]>([]);
