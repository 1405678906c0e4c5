const trustedMs = 500;

interface Known<T> {
  row: Promise<T>;
  until: number;
  /** Requests since the database was asked. */
  made: number;
}

/**
 * Rows of keys by the hash of the key. As with sessions a row is trusted for half a second, so that a key that ended is
 * refused within one second everywhere; a question tells how often the key was used since the last one, and one question
 * at a time is asked for a key.
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
    // What could not be asked is asked again.
    asked.row.catch(() => fresh.get(hash) === asked && fresh.delete(hash));
    fresh.set(hash, asked);
    return asked;
  };
}
