import { use, useEffect, useLayoutEffect, useRef } from "react";
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

function isTaken({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector("[role=dialog][aria-modal=true]")) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches("textarea, select, [role=textbox], [role=menuitem]")) return true;
  if (target.matches("input")) return !(target.matches("[type=range]") && !/^(Arrow|Home|End|Page)/.test(key));
  // Enter and space press the button that has the focus, arrows go from tab to tab.
  return target.matches("button, a, [role=slider], [role=tab]") && /^(Enter| |Arrow.*|Home|End)$/.test(key);
}
