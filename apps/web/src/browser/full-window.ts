import { createContext, use } from "react";

/** The full-window mode of a page inside the shell: its viewer covers sidebar, top bar and tabs. */
export interface FullWindowMode {
  isFull: boolean;
  change: (isFull: boolean) => void;
}

/** Null for pages without a shell around them, such as a shared link: there is nothing to cover. */
export const FullWindow = createContext<FullWindowMode | null>(null);
export const useFullWindow = (): FullWindowMode | null => use(FullWindow);
