import type { KeyboardEvent } from "react";

/** Moves the focus to the next or previous button of a toolbar by the arrow keys, as readers of toolbars expect. */
export function moveFocusInToolbar(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  if ((key !== "ArrowLeft" && key !== "ArrowRight") || !(target instanceof HTMLButtonElement)) return;
  // Menus and forms that a button has opened lie within the toolbar and keep their own keys.
  const buttons = [...currentTarget.querySelectorAll<HTMLButtonElement>("button:enabled")].filter(
    (button) => button.offsetParent !== null && button.closest("[role=menu], [role=dialog]") === null,
  );
  const at = buttons.indexOf(target);
  if (at < 0) return;
  const isForwards = (key === "ArrowRight") === (getComputedStyle(currentTarget).direction === "ltr");
  buttons.at((at + (isForwards ? 1 : -1)) % buttons.length)?.focus();
  event.preventDefault();
}
