import type { Query, QueryClient } from "@tanstack/react-query";

/** What a person looks at: asked for ahead of the counters, comments and notices around it. */
const lookedAt: readonly unknown[] = ["/v1/order/list", "/v1/order/detail"];
/** A person's own, which nothing that happens to an order changes. */
const own: readonly unknown[] = ["/v1/order/looks"];
/** How long the rest waits for it at most, in milliseconds. */
const patience = 400;
/** Within so many milliseconds the live stream tells of what a command has done. */
const soon = 150;
/** Whose commands are told by the live stream in any case. */
const told = "order";

type Which = (query: Query) => boolean;
const among =
  (paths: readonly unknown[]): Which =>
  ({ queryKey }) =>
    paths.includes(queryKey[1]);

export interface Refetching {
  /** The live stream told of something by that word. */
  heard: (word: string) => void;
  /** A command of that word succeeded here. */
  changed: (word: string) => void;
}

/**
 * What is asked for again, and in which order: many pages hear of the same step at once, and one server answers them.
 * `isOver`: by its key, what is not there any more.
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
    // Another page that is gone to meanwhile asks afresh; this one most likely hears of it right now.
    void client.invalidateQueries({ queryKey: [word], refetchType: "none" });
    setTimeout(() => {
      void again(word, among(own));
      if (asked < at) heard(word);
    }, soon);
  };
  return { heard, changed };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
