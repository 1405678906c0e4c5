import { createStore } from "../../browser/external-store.ts";

/** Overlays over the page that can be opened from several places: buttons, menus, keys. */
export type Overlay = "search" | "keys" | "language" | "settings" | "uploads";
export const activeOverlay = createStore<Overlay | null>(null);
export function showOverlay(requested: Overlay): void {
  if (!activeOverlay.get()) focusOrigin = findOpener(document.activeElement);
  activeOverlay.set(requested);
}
export function closeOverlay(): void {
  activeOverlay.set(null);
  // Deferred until it is closed: a page that was opened from it may have taken the focus already.
  setTimeout(() => {
    if (document.activeElement === document.body) focusOrigin?.focus({ preventScroll: true });
  });
}

/** The element that had the focus when the overlay opened. */
let focusOrigin: HTMLElement | null = null;
/** A menu entry disappears with its menu, so use the button that opened the menu. */
function findOpener(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest("[role=menu]");
  const found = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
  return found instanceof HTMLElement ? found : null;
}
