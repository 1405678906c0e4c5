/** Layers that cover the page for a time: the focus must return to its place after them. */
const layerSelector = "[role=dialog], [role=menu]";
/** The element that had the focus before it moved into a layer, by the layer. */
const openers = new WeakMap<Element, Element>();
const watched = new WeakSet<Node>();
let lastFocused: Element | null = null;

/** The browser drops the focus when its element is disabled or removed; users of a screen reader are lost then. */
const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Remembers the focused element and returns a function that restores the focus if it was dropped in the meantime. */
export function captureFocus(): () => void {
  const focused = document.activeElement;
  return () => {
    if (isFocusLost() && focused instanceof HTMLElement && focused.isConnected) focused.focus();
  };
}

/** The first field inside an element, or the one that is marked for the initial focus. */
export const findFirstField = (container: ParentNode | null): HTMLElement | null =>
  container?.querySelector<HTMLElement>("[data-autofocus]") ??
  container?.querySelector<HTMLElement>("input:not([type=hidden], [readonly], :disabled)") ??
  null;

/** Returns the focus to the element that opened a dialog, however the dialog was closed. */
export function startFocusRestoration(): void {
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const layer = target.closest(layerSelector);
    if (layer && lastFocused && !layer.contains(lastFocused)) {
      if (!openers.has(layer)) openers.set(layer, lastFocused);
      watchRemoval(layer);
    }
    lastFocused = target;
  });
}

function watchRemoval(layer: Element): void {
  const container =
    layer.closest("[data-mantine-shared-portal-node]") ?? layer.closest("[data-portal]")?.parentNode ?? null;
  if (!container || watched.has(container)) return;
  watched.add(container);
  new MutationObserver((changes) => {
    if (changes.some(({ removedNodes }) => removedNodes.length > 0)) setTimeout(restoreLostFocus);
  }).observe(container, { childList: true });
}

function restoreLostFocus(): void {
  if (!isFocusLost() || lastFocused?.isConnected) return;
  let at: Element | undefined = lastFocused ?? undefined;
  for (let step = 0; at && !at.isConnected && step < 8; step += 1) {
    const layer: Element | null = at.closest(layerSelector);
    at = layer ? openers.get(layer) : undefined;
  }
  if (at instanceof HTMLElement) at.focus();
}
