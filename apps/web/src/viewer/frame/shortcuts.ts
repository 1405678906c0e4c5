import { use, useEffect, useLayoutEffect, useRef } from "react";
import { isAskingPerson, isTyping } from "../../kernel/typing.ts";
import { SurfaceRoom } from "./surface.tsx";

/** A key as it is written on a tooltip: "W", "Shift+R", "Ctrl+Z", "ArrowUp". */
export type Keys = Record<string, (() => void) | undefined>;

/**
 * Registers keys of a viewer. They are ignored while the user types or a dialog is open, and outside the viewer's focus
 * if it is only a part of a page.
 */
export function useShortcuts(keys: Keys): void {
  const latest = useRef(keys);
  useLayoutEffect(() => void (latest.current = keys));
  const { root, isWholePage } = use(SurfaceRoom);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTaken(event) || !(isWholePage || root.current?.contains(event.target as Node)))
        return;
      const act = latest.current[nameOf(event)];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [root, isWholePage]);
}

export function nameOf(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">): string {
  const isLetter = /^[a-z]$/i.test(event.key);
  const key = isLetter ? event.key.toUpperCase() : event.key;
  const held = [
    (event.ctrlKey || event.metaKey) && "Ctrl",
    event.altKey && "Alt",
    // A sign like "+" is typed with shift on some keyboards and without on others.
    event.shiftKey && (isLetter || key.length > 1) && "Shift",
  ];
  return [...held.filter(Boolean), key].join("+");
}

/** True if a key belongs to the focused element or to an open dialog, and not to the viewer. */
export function isTaken(event: KeyboardEvent): boolean {
  const { target, key } = event;
  if (isAskingPerson()) return true;
  if (!(target instanceof HTMLElement)) return false;
  // A slider needs only its own keys: a tool may be selected while the slider has the focus.
  if (target.matches("[type=range]")) return /^(Arrow|Home|End|Page)/.test(key);
  if (isTyping(event) || target.matches("[role=menuitem], [role=option]")) return true;
  // Enter and space press the focused button, arrows move between tabs.
  return target.matches("button, a, [role=slider], [role=tab]") && /^(Enter| |Arrow.*|Home|End)$/.test(key);
}
