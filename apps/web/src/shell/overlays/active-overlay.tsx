import { Suspense, lazy } from "react";
import { useStore } from "../../browser/external-store.ts";
import { closeOverlay, activeOverlay } from "./overlay-state.ts";
import { useShellShortcuts } from "./use-shell-shortcuts.ts";

// Each is loaded when it is first opened.
const Search = lazy(async () => ({ default: (await import("./search.tsx")).Search }));
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
