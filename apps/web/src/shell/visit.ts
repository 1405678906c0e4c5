import { queryClient } from "../kernel/queries.ts";
import { createStore } from "../kernel/store.ts";

/** The number of requested re-renders of the page. */
export const renderKey = createStore(0);

/** Remounts the page and refetches all answers. */
export function remountPage(): void {
  void queryClient.invalidateQueries();
  renderKey.set((now) => now + 1);
}
