import { Suspense, lazy, useEffect } from "react";
import { useStore } from "../../browser/external-store.ts";
import { closeOverlay, activeOverlay, showOverlay } from "./overlay-state.ts";
import { idleState } from "../../session/idle-watch.ts";
import { isDialogOpen, isTyping } from "../../browser/typing-state.ts";

// Each is loaded when it is first opened.
const loadSearch = () => import("../search/search-dialog.tsx");
const Search = lazy(async () => ({ default: (await loadSearch()).Search }));
const KeyboardHelp = lazy(async () => ({ default: (await import("./keyboard-help.tsx")).KeyboardHelp }));
const LanguageDialog = lazy(async () => ({ default: (await import("./language-dialog.tsx")).LanguageDialog }));
const SettingsDrawer = lazy(async () => ({ default: (await import("./settings-drawer.tsx")).SettingsDrawer }));
const UploadDrawer = lazy(async () => ({
  default: (await import("../../study/upload/upload-drawer.tsx")).UploadDrawer,
}));

export function ActiveOverlay() {
  const shown = useStore(activeOverlay);
  useShellShortcuts();
  return (
    <Suspense>
      {shown === "search" && <Search onClose={closeOverlay} />}
      {shown === "keys" && <KeyboardHelp opened onClose={closeOverlay} />}
      {shown === "language" && <LanguageDialog opened onClose={closeOverlay} />}
      {shown === "settings" && <SettingsDrawer opened onClose={closeOverlay} />}
      {shown === "uploads" && <UploadDrawer onClose={closeOverlay} />}
    </Suspense>
  );
}

/**
 * Ctrl or Cmd with K opens the search, also while the user types. "?" shows the shortcuts, unless the user types it.
 */
function useShellShortcuts(): void {
  useEffect(() => {
    document.addEventListener("keydown", handleKey);
    return () => document.removeEventListener("keydown", handleKey);
  }, []);
}

function handleKey(event: KeyboardEvent): void {
  // The search is here when K follows: what is typed next must not be lost.
  if (event.key === "Control" || event.key === "Meta") void loadSearch().catch(() => null);
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
