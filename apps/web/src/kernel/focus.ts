/** Layers that cover the page for a time: the focus must return to its place after them. */
const layers = "[role=dialog], [role=menu]";
/** The element that had the focus before it moved into a layer, by the layer. */
const openers = new WeakMap<Element, Element>();
const watched = new WeakSet<Node>();
let last: Element | null = null;

/** The browser drops the focus when its element is disabled or removed; users of a screen reader are lost then. */
const isDropped = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Remembers the focused element and returns a function that restores the focus if it was dropped in the meantime. */
export function holdFocus(): () => void {
  const held = document.activeElement;
  return () => {
    if (isDropped() && held instanceof HTMLElement && held.isConnected) held.focus();
  };
}

/** The first field inside an element, or the one that is marked for the initial focus. */
export const firstField = (place: ParentNode | null): HTMLElement | null =>
  place?.querySelector<HTMLElement>("[data-autofocus]") ??
  place?.querySelector<HTMLElement>("input:not([type=hidden], [readonly], :disabled)") ??
  null;

/** Returns the focus to the element that opened a dialog, however the dialog was closed. */
export function watchFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const layer = target.closest(layers);
    if (layer && last && !layer.contains(last)) {
      if (!openers.has(layer)) openers.set(layer, last);
      watchEnd(layer);
    }
    last = target;
  });
}

function watchEnd(layer: Element): void {
  const place =
    layer.closest("[data-mantine-shared-portal-node]") ?? layer.closest("[data-portal]")?.parentNode ?? null;
  if (!place || watched.has(place)) return;
  watched.add(place);
  new MutationObserver((changes) => {
    if (changes.some(({ removedNodes }) => removedNodes.length > 0)) setTimeout(giveBack);
  }).observe(place, { childList: true });
}

function giveBack(): void {
  if (!isDropped() || last?.isConnected) return;
  let at: Element | undefined = last ?? undefined;
  for (let step = 0; at && !at.isConnected && step < 8; step += 1) {
    const layer: Element | null = at.closest(layers);
    at = layer ? openers.get(layer) : undefined;
  }
  if (at instanceof HTMLElement) at.focus();
}
