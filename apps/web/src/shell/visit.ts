import { queryClient } from "../kernel/queries.ts";
import { createStore } from "../kernel/store.ts";

/** Counts how often pages were asked to be made anew. */
export const visits = createStore(0);

/** Makes the page anew: from its first render, with fresh answers. */
export function showAgain(): void {
  void queryClient.invalidateQueries();
  visits.set((now) => now + 1);
}
