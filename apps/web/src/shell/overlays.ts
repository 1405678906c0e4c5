import { createStore } from "../kernel/store.ts";

/** What lies open over the page and is reached from several places: buttons, menus, keys. */
export type Overlay = "search" | "keys" | "language" | "settings" | "uploads";
export const overlay = createStore<Overlay | null>(null);
export function showOverlay(which: Overlay): void {
  if (!overlay.get()) from = opener(document.activeElement);
  overlay.set(which);
}
export function closeOverlay(): void {
  overlay.set(null);
  // Once it is gone: a page that was chosen in it may have taken the focus already.
  setTimeout(() => {
    if (document.activeElement === document.body) from?.focus({ preventScroll: true });
  });
}

/** Where the keyboard was when it opened. */
let from: HTMLElement | null = null;
/** An entry of a menu goes away with its menu: what opened that stays. */
function opener(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest("[role=menu]");
  const found = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
  return found instanceof HTMLElement ? found : null;
}
