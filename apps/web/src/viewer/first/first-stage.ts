let isEnded = false;
let stage: HTMLElement | null = null;

/** True if the app shows the volume itself by now. */
export const isOver = (): boolean => isEnded;

/** Puts an image of the volume over the page; ignored once the app shows the volume. */
export function putFirstLook(...made: HTMLElement[]): void {
  if (isEnded) return;
  stage ??= begun();
  stage.append(...made);
}

function begun(): HTMLElement {
  const made = document.createElement("div");
  made.setAttribute("aria-hidden", "true");
  Object.assign(made.style, { position: "fixed", inset: "0", zIndex: "1000", pointerEvents: "none" });
  document.body.append(made);
  // A user who begins to interact gets the page itself, as far as it is loaded.
  for (const event of ["pointerdown", "keydown", "popstate"]) addEventListener(event, endFirstLook, { once: true });
  return made;
}

/** The viewer shows the volume, or the reason why it cannot. */
export function endFirstLook(): void {
  isEnded = true;
  stage?.remove();
  stage = null;
}
