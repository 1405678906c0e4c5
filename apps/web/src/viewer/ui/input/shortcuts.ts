import { use, useEffect, useLayoutEffect, useRef } from "react";
import { isAwaitingInput, isTyping } from "../../../browser/typing-state.ts";
import { ViewerSurfaceContext } from "../page/viewer-surface.tsx";

/**
 * A key as it is written on a tooltip: "W", "Shift+R", "Ctrl+Z", "ArrowUp". An action that returns false had nothing to
 * do: the key remains for the page around the viewer.
 */
export type Shortcuts = Record<string, (() => unknown) | undefined>;

/**
 * Registers keys of a viewer. They are ignored while the user types or a dialog is open, and outside the viewer's focus
 * if it is only a part of a page.
 */
export function useShortcuts(keys: Shortcuts): void {
  const latest = useRef(keys);
  useLayoutEffect(() => void (latest.current = keys));
  const { root, isWholePage } = use(ViewerSurfaceContext);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (
        event.defaultPrevented ||
        isReservedKey(event) ||
        !(isWholePage || root.current?.contains(event.target as Node))
      )
        return;
      const action = latest.current[formatShortcut(event)];
      if (action && action() !== false) event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [root, isWholePage]);
}

export function formatShortcut(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">,
): string {
  const isLetter = /^[a-z]$/i.test(event.key);
  const key = isLetter ? event.key.toUpperCase() : event.key;
  const modifiers = [
    (event.ctrlKey || event.metaKey) && "Ctrl",
    event.altKey && "Alt",
    // A sign like "+" is typed with shift on some keyboards and without on others.
    event.shiftKey && (isLetter || key.length > 1) && "Shift",
  ];
  return [...modifiers.filter(Boolean), key].join("+");
}

/** True if a key belongs to the focused element or to an open dialog, and not to the viewer. */
export function isReservedKey(event: KeyboardEvent): boolean {
  const { target, key } = event;
  if (isAwaitingInput()) return true;
  if (!(target instanceof HTMLElement)) return false;
  // A slider needs only its own keys: a tool may be selected while the slider has the focus.
  if (target.matches("[type=range]")) return /^(Arrow|Home|End|Page)/.test(key);
  // A popover is a dialog, too, although it leaves the page operable; so is a menu with its letters.
  if (isTyping(event) || target.closest("[role=dialog], [role=menu], [role=listbox]")) return true;
  // Enter and space press the focused button, arrows move between tabs.
  return target.matches("button, a, [role=slider], [role=tab]") && /^(Enter| |Arrow.*|Home|End)$/.test(key);
}
