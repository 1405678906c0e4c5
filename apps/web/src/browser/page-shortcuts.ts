import { createStore } from "./external-store.ts";

/** What a key of the current page does. */
export interface PageShortcut {
  label: string;
  keys: string;
}

/** The keys that only the current page has, for the help about the keyboard; empty on most pages. */
export const pageShortcuts = createStore<readonly PageShortcut[]>([]);
