import { createContext } from "react";
import type { ReactNode } from "react";

/** The help of the page, which stands beside its title. The layout provides it, since it knows the screen. */
export const PageHelpSlot = createContext<ReactNode>(null);
