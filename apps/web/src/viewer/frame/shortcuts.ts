import { use, useEffect, useLayoutEffect, useRef } from "react";
import { isAskingPerson, isTyping } from "../../kernel/typing.ts";
import { SurfaceRoom } from "./surface.tsx";

/** A key as it is written on a tooltip: "W", "Shift+R", "Ctrl+Z", "ArrowUp". */
export type Keys = Record<string, (() => void) | undefined>;

/** Keys of a viewer; they stay silent while somebody types or a dialog is open, and outside the viewer's focus where it is one part of a page. */
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

/** Whether a key belongs to what has the focus, or to a question that stands open, and not to the viewer. */
export function isTaken(event: KeyboardEvent): boolean {
  const { target, key } = event;
  if (isAskingPerson()) return true;
  if (!(target instanceof HTMLElement)) return false;
  // A slider needs its own keys alone: a tool may be chosen while the slider has the focus.
  if (target.matches("[type=range]")) return /^(Arrow|Home|End|Page)/.test(key);
  if (isTyping(event) || target.matches("[role=menuitem], [role=option]")) return true;
  // Enter and space press the button that has the focus, arrows go from tab to tab.
  return target.matches("button, a, [role=slider], [role=tab]") && /^(Enter| |Arrow.*|Home|End)$/.test(key);
}
