import { createStore } from "../kernel/store.ts";

/** What lies open over the page and is reached from several places: buttons, menus, keys. */
export type Overlay = "search" | "keys" | "language" | "settings";
export const overlay = createStore<Overlay | null>(null);
export const showOverlay = (which: Overlay): void => overlay.set(which);
export const closeOverlay = (): void => overlay.set(null);
