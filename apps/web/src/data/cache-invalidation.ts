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
  /** Events may have been missed, so anything may have changed. */
  onMissedEvents: () => void;
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
  const repeatFetch = createFetchRepeater(client);
  const invalidate = (group: string | null, isIncluded: QueryFilter): Promise<void> => {
    const filters = {
      ...(group !== null && { queryKey: [group] }),
      predicate: (query: Query) => isIncluded(query) && !isObsolete(query.queryKey),
    };
    for (const query of client.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" })) repeatFetch(query);
    return client.invalidateQueries(filters);
  };
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
    if (group !== liveReportedGroup) return void invalidate(group, isAny);
    const at = performance.now();
    // A page opened in the meantime fetches afresh; this one is most likely notified right now.
    void client.invalidateQueries({ queryKey: [group], refetchType: "none" });
    setTimeout(() => {
      void invalidate(group, matchesPaths(userDataPaths));
      if (lastLiveEventAt < at) onLiveEvent(group);
    }, liveEventDelayMs);
  };
  return { onLiveEvent, onCommand, onMissedEvents: () => void invalidate(null, isAny) };
}

/**
 * Stores an answer that was fetched outside the cache. If an event has invalidated the query while the answer was on its
 * way, the answer may be older than the event, and is fetched again where it is shown.
 */
export function storeAnswer(client: QueryClient, queryKey: readonly unknown[], answer: unknown): void {
  const isOutdated = client.getQueryState(queryKey)?.isInvalidated === true;
  client.setQueryData(queryKey, answer);
  if (isOutdated) void client.invalidateQueries({ queryKey });
}

const isAny: QueryFilter = () => true;

/**
 * Invalidates a query once more when its running fetch has ended. TanStack Query restarts a running fetch only if the
 * query has data and is shown; the answer of any other may be older than the event, and would count as fresh.
 */
function createFetchRepeater(client: QueryClient): (query: Query) => void {
  const waiting = new WeakSet<Query>();
  return (query) => {
    const isRestarted = query.state.data !== undefined && query.isActive();
    if (isRestarted || waiting.has(query)) return;
    waiting.add(query);
    const repeat = (): void => {
      waiting.delete(query);
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    // While a fetch runs, this returns its promise.
    query.fetch(undefined, { cancelRefetch: false }).then(repeat, repeat);
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
