import type { Query, QueryClient } from "@tanstack/react-query";

/** Calls behind the main content of a page: they are refetched before the counters, comments and notices around it. */
const mainContentPaths: readonly unknown[] = ["/v1/order/list", "/v1/order/detail"];
/** Data of the user's own, which no event of an order changes. */
const userDataPaths: readonly unknown[] = ["/v1/order/looks"];
/** The longest time for which the remaining refetches wait for these, in milliseconds. */
const maxWaitMs = 400;
/** Milliseconds within which the live stream reports the effect of a command. */
const liveEventDelayMs = 150;
/** The topic whose commands the live stream always reports. */
const liveReportedGroup = "order";

type QueryFilter = (query: Query) => boolean;
const matchesPaths =
  (paths: readonly unknown[]): QueryFilter =>
  ({ queryKey }) =>
    paths.includes(queryKey[1]);

export interface CacheInvalidation {
  /** The live stream reported an event of that word. */
  onLiveEvent: (group: string) => void;
  /** A command of that word succeeded here. */
  onCommand: (group: string) => void;
}

/**
 * Refetches queries in a fixed order, because many pages are notified of a change at once and one server answers them.
 * `isOver`: true if the query with this key is of a record that no longer exists.
 */
export function createCacheInvalidation(
  client: QueryClient,
  isObsolete: (key: readonly unknown[]) => boolean,
): CacheInvalidation {
  let mainRefetch: Promise<unknown> | null = null;
  let lastLiveEventAt = -Infinity;
  const invalidate = (group: string, isIncluded: QueryFilter): Promise<void> =>
    client.invalidateQueries({
      queryKey: [group],
      predicate: (query) => isIncluded(query) && !isObsolete(query.queryKey),
    });
  const isOtherContent: QueryFilter = (query) =>
    !matchesPaths(mainContentPaths)(query) && !matchesPaths(userDataPaths)(query);

  const onLiveEvent = (group: string): void => {
    if (group === liveReportedGroup) {
      lastLiveEventAt = performance.now();
      const first = Promise.race([invalidate(group, matchesPaths(mainContentPaths)), pause(maxWaitMs)]).finally(() => {
        if (mainRefetch === first) mainRefetch = null;
      });
      mainRefetch = first;
    }
    if (mainRefetch) void mainRefetch.then(() => invalidate(group, isOtherContent));
    else void invalidate(group, isOtherContent);
  };

  const onCommand = (group: string): void => {
    if (group !== liveReportedGroup) return void invalidate(group, () => true);
    const at = performance.now();
    // A page opened in the meantime fetches afresh; this one is most likely notified right now.
    void client.invalidateQueries({ queryKey: [group], refetchType: "none" });
    setTimeout(() => {
      void invalidate(group, matchesPaths(userDataPaths));
      if (lastLiveEventAt < at) onLiveEvent(group);
    }, liveEventDelayMs);
  };
  return { onLiveEvent, onCommand };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
