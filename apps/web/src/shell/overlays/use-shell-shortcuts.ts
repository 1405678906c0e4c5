import { useEffect } from "react";
import { idleState } from "../../session/idle-watch.ts";
import { isDialogOpen, isTyping } from "../../browser/typing-state.ts";
import { activeOverlay, showOverlay } from "./overlay-state.ts";

/**
 * Ctrl or Cmd with K opens the search, also while the user types. "?" shows the shortcuts, unless the user types it.
 */
export function useShellShortcuts(): void {
  useEffect(() => {
    document.addEventListener("keydown", handleKey);
    return () => document.removeEventListener("keydown", handleKey);
  }, []);
}

function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || idleState.get().kind === "locked" || activeOverlay.get()) return;
  const requested = findRequestedOverlay(event);
  if (!requested || isDialogOpen()) return;
  event.preventDefault();
  showOverlay(requested);
}

function findRequestedOverlay(event: KeyboardEvent): "search" | "keys" | null {
  const { key, ctrlKey, metaKey, altKey } = event;
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") return "search";
  return key === "?" && !ctrlKey && !metaKey && !altKey && !isTyping(event) ? "keys" : null;
}
