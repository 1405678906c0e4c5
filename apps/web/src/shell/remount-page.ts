import { queryClient } from "../data/query-client.ts";
import { createStore } from "../browser/external-store.ts";

/** The number of requested re-renders of the page. */
export const renderKey = createStore(0);

/** Remounts the page and refetches all answers. */
export function remountPage(): void {
  void queryClient.invalidateQueries();
  renderKey.set((now) => now + 1);
}
