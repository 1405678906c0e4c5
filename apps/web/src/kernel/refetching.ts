import type { Query, QueryClient } from "@tanstack/react-query";

/** Calls behind the main content of a page: they are refetched before the counters, comments and notices around it. */
const lookedAt: readonly unknown[] = ["/v1/order/list", "/v1/order/detail"];
/** Data of the user's own, which no event of an order changes. */
const own: readonly unknown[] = ["/v1/order/looks"];
/** The longest time for which the remaining refetches wait for these, in milliseconds. */
const patience = 400;
/** Milliseconds within which the live stream reports the effect of a command. */
const soon = 150;
/** The topic whose commands the live stream reports in any case. */
const told = "order";

type Which = (query: Query) => boolean;
const among =
  (paths: readonly unknown[]): Which =>
  ({ queryKey }) =>
    paths.includes(queryKey[1]);

export interface Refetching {
  /** The live stream reported an event of that word. */
  heard: (word: string) => void;
  /** A command of that word succeeded here. */
  changed: (word: string) => void;
}

/**
 * Refetches queries in a fixed order: many pages hear of the same change at once, and one server answers them.
 * `isOver`: true if the query with this key is of a record that no longer exists.
 */
export function refetching(client: QueryClient, isOver: (key: readonly unknown[]) => boolean): Refetching {
  let ahead: Promise<unknown> | null = null;
  let asked = -Infinity;
  const again = (word: string, which: Which): Promise<void> =>
    client.invalidateQueries({ queryKey: [word], predicate: (query) => which(query) && !isOver(query.queryKey) });
  const rest: Which = (query) => !among(lookedAt)(query) && !among(own)(query);

  const heard = (word: string): void => {
    if (word === told) {
      asked = performance.now();
      const first = Promise.race([again(word, among(lookedAt)), pause(patience)]).finally(() => {
        if (ahead === first) ahead = null;
      });
      ahead = first;
    }
    if (ahead) void ahead.then(() => again(word, rest));
    else void again(word, rest);
  };

  const changed = (word: string): void => {
    if (word !== told) return void again(word, () => true);
    const at = performance.now();
    // A page opened in the meantime fetches afresh; this one is most likely notified right now.
    void client.invalidateQueries({ queryKey: [word], refetchType: "none" });
    setTimeout(() => {
      void again(word, among(own));
      if (asked < at) heard(word);
    }, soon);
  };
  return { heard, changed };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
