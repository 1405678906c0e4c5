import { useEffect } from "react";
import { watch } from "../kernel/idle.ts";
import { isDialogOpen, isTyping } from "../kernel/typing.ts";
import { overlay, showOverlay } from "./overlays.ts";

/**
 * Ctrl or Cmd with K opens the search, also while the user types. "?" shows the shortcuts, unless the user types it.
 */
export function useShellKeys(): void {
  useEffect(() => {
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function listen(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || watch.get().kind === "locked" || overlay.get()) return;
  const which = asks(event);
  if (!which || isDialogOpen()) return;
  event.preventDefault();
  showOverlay(which);
}

function asks(event: KeyboardEvent): "search" | "keys" | null {
  const { key, ctrlKey, metaKey, altKey } = event;
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") return "search";
  return key === "?" && !ctrlKey && !metaKey && !altKey && !isTyping(event) ? "keys" : null;
}
