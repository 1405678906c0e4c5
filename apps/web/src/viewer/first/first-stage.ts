let isEnded = false;
let stage: HTMLElement | null = null;

/** Whether the app shows the volume itself by now. */
export const isOver = (): boolean => isEnded;

export function putFirstLook(made: HTMLElement): void {
  if (isEnded) return;
  stage = made;
  document.body.append(made);
  // Whoever begins to do something has the page itself before them, as far as it is there.
  for (const event of ["pointerdown", "keydown", "popstate"]) addEventListener(event, endFirstLook, { once: true });
}

/** The viewer shows the volume, or says why it cannot. */
export function endFirstLook(): void {
  isEnded = true;
  stage?.remove();
  stage = null;
}
