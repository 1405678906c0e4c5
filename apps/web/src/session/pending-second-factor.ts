import type { FactorNeeded } from "@arcada/contract/factor/second-step.calls";
import { createStore } from "../browser/external-store.ts";

/**
 * A sign-in that came by an address and waits for its second step. Kept only in this page's memory, because it is half
 * a credential.
 */
export const pendingSecondFactor = createStore<FactorNeeded | null>(null);
