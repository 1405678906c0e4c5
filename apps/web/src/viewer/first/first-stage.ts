let isEnded = false;
let stage: HTMLElement | null = null;

/** Whether the app shows the volume itself by now. */
export const isOver = (): boolean => isEnded;

/** Puts what is seen of the volume over the page; nothing any more once the app shows it. */
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
  // Whoever begins to do something has the page itself before them, as far as it is there.
  for (const event of ["pointerdown", "keydown", "popstate"]) addEventListener(event, endFirstLook, { once: true });
  return made;
}

/** The viewer shows the volume, or says why it cannot. */
export function endFirstLook(): void {
  isEnded = true;
  stage?.remove();
  stage = null;
}
