import type { FactorNeeded } from "@arcada/contract/factor/factor.calls";
import { createStore } from "./store.ts";

/** A sign-in that came by an address and waits for its second step; in this page's memory alone, for it is half a key. */
export const waitingStep = createStore<FactorNeeded | null>(null);
