let isEnded = false;
let overlay: HTMLElement | null = null;

/** True if the app shows the volume itself by now. */
export const hasFirstPaintEnded = (): boolean => isEnded;

/** Puts an image of the volume over the page; ignored once the app shows the volume. */
export function showFirstPaint(...elements: HTMLElement[]): void {
  if (isEnded) return;
  overlay ??= createOverlay();
  overlay.append(...elements);
}

function createOverlay(): HTMLElement {
  const element = document.createElement("div");
  element.setAttribute("aria-hidden", "true");
  Object.assign(element.style, { position: "fixed", inset: "0", zIndex: "1000", pointerEvents: "none" });
  document.body.append(element);
  // A user who begins to interact gets the page itself, as far as it is loaded.
  for (const event of ["pointerdown", "keydown", "popstate"]) addEventListener(event, endFirstPaint, { once: true });
  return element;
}

/** The viewer shows the volume, or the reason why it cannot. */
export function endFirstPaint(): void {
  isEnded = true;
  overlay?.remove();
  overlay = null;
}
