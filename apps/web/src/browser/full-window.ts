import { createContext, use, useEffect } from "react";
import { createStore } from "./external-store.ts";

/** The full-window mode of a page inside the shell: its viewer covers sidebar, top bar and tabs. */
export interface FullWindowMode {
  isFull: boolean;
  change: (isFull: boolean) => void;
}

/** Null inside a viewer, and for pages without a shell around them, such as a shared link: there is nothing to cover. */
export const FullWindow = createContext<FullWindowMode | null>(null);
export const useFullWindow = (): FullWindowMode | null => use(FullWindow);

/** The number of messages in place of a viewer, such as an error: without the shell they would be a dead end. */
export const shellNeeds = createStore(0);

/** Keeps the shell in view while a message is shown in place of a page. */
export function useShellInView(): void {
  const isPage = useFullWindow() !== null;
  useEffect(() => {
    if (!isPage) return;
    shellNeeds.set((count) => count + 1);
    return () => shellNeeds.set((count) => count - 1);
  }, [isPage]);
}
