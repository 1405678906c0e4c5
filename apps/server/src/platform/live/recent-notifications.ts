/** Recent notifications: a client that began to read a moment before it subscribed receives them, too. */
export interface Recent<T> {
  note(news: T): void;
  /** Returns all since this many milliseconds ago, oldest first; null if they are no longer complete. */
  since(ago: number): T[] | null;
  /** Starts again after a gap in which messages may have been lost. */
  beginAnew(): void;
}

const longest = 30_000;
const most = 2000;

export function recentNews<T>(): Recent<T> {
  let kept: { at: number; news: T }[] = [];
  let from = Date.now();
  return {
    note(news) {
      const now = Date.now();
      kept.push({ at: now, news });
      // Old entries are dropped in bulk now and then, not one by one.
      if (kept.length < 2 * most && kept[0]!.at > now - 2 * longest) return;
      const young = kept.filter(({ at }) => at > now - longest).slice(-most);
      from = Math.max(from, now - longest, young.length < kept.length ? (young[0]?.at ?? now) : 0);
      kept = young;
    },
    since(ago) {
      const start = Date.now() - ago;
      return start < from ? null : kept.filter(({ at }) => at >= start).map(({ news }) => news);
    },
    beginAnew() {
      kept = [];
      from = Date.now();
    },
  };
}
