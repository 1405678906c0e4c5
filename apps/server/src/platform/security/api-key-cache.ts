const trustedMs = 500;

interface Known<T> {
  row: Promise<T>;
  until: number;
  /** The number of requests since the last query. */
  made: number;
}

/**
 * Caches rows of API keys by the hash of the key. As with sessions a row is trusted for half a second, so that a key
 * that ended is refused within one second everywhere. A query reports how often the key was used since the last one,
 * and only one query at a time runs for a key.
 */
export function knownKeys<T>(ask: (hash: string, made: number) => Promise<T>): (hash: string) => Known<T> {
  const fresh = new Map<string, Known<T>>();
  return (hash) => {
    const known = fresh.get(hash);
    const now = Date.now();
    if (known && known.until > now) {
      known.made += 1;
      return known;
    }
    if (fresh.size > 5000) fresh.clear();
    const asked: Known<T> = { row: ask(hash, (known?.made ?? 0) + 1), until: now + trustedMs, made: 0 };
    // A query that failed is not kept, so that it is sent again.
    asked.row.catch(() => fresh.get(hash) === asked && fresh.delete(hash));
    fresh.set(hash, asked);
    return asked;
  };
}
