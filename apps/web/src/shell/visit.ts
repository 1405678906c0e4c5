import { queryClient } from "../kernel/queries.ts";
import { createStore } from "../kernel/store.ts";

/** The number of requested re-renders of the page. */
export const visits = createStore(0);

/** Remounts the page and refetches all answers. */
export function showAgain(): void {
  void queryClient.invalidateQueries();
  visits.set((now) => now + 1);
}
