import { useEffect } from "react";
import { watch } from "../kernel/idle.ts";
import { overlay, showOverlay } from "./overlays.ts";

/** Ctrl or Cmd with K searches, also while somebody types; "?" shows the keys, unless somebody types it. */
export function useShellKeys(): void {
  useEffect(() => {
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function listen(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || watch.get().kind === "locked" || overlay.get()) return;
  const which = asks(event);
  if (!which || document.querySelector("[role=dialog][aria-modal=true]")) return;
  event.preventDefault();
  showOverlay(which);
}

function asks({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): "search" | "keys" | null {
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") return "search";
  return key === "?" && !ctrlKey && !metaKey && !altKey && !isTyping(target) ? "keys" : null;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input, textarea, select, [role=textbox]"));
