import { LRUCache } from "lru-cache";

const trustedMs = 500;

interface CachedKey<T> {
  row: Promise<T>;
  until: number;
  /** The number of requests since the last query. */
  requests: number;
}

/**
 * Caches rows of API keys by the hash of the key. As with sessions a row is trusted for half a second, so that a key
 * that ended is refused within one second everywhere. A query reports how often the key was used since the last one,
 * and only one query at a time runs for a key.
 */
export function createApiKeyCache<T>(
  query: (hash: string, requests: number) => Promise<T>,
): (hash: string) => CachedKey<T> {
  const cache = new LRUCache<string, CachedKey<T>>({ max: 5000 });
  return (hash) => {
    const known = cache.get(hash);
    const now = Date.now();
    if (known && known.until > now) {
      known.requests += 1;
      return known;
    }
    const entry: CachedKey<T> = { row: query(hash, (known?.requests ?? 0) + 1), until: now + trustedMs, requests: 0 };
    // A query that failed is not kept, so that it is sent again.
    entry.row.catch(() => cache.get(hash) === entry && cache.delete(hash));
    cache.set(hash, entry);
    return entry;
  };
}
