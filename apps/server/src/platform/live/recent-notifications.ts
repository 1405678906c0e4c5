/** Recent notifications: a client that began to read a moment before it subscribed receives them, too. */
export interface RecentNotifications<T> {
  add(notification: T): void;
  /** Returns all since this many milliseconds ago, oldest first; null if they are no longer complete. */
  since(ago: number): T[] | null;
  /** Starts again after a gap in which messages may have been lost. */
  reset(): void;
}

const maxAgeMs = 30_000;
const maxEntries = 2000;

export function createRecentNotifications<T>(): RecentNotifications<T> {
  let kept: { at: number; notification: T }[] = [];
  let from = Date.now();
  return {
    add(notification) {
      const now = Date.now();
      kept.push({ at: now, notification });
      // Old entries are dropped in bulk now and then, not one by one.
      if (kept.length < 2 * maxEntries && kept[0]!.at > now - 2 * maxAgeMs) return;
      const recent = kept.filter(({ at }) => at > now - maxAgeMs).slice(-maxEntries);
      from = Math.max(from, now - maxAgeMs, recent.length < kept.length ? (recent[0]?.at ?? now) : 0);
      kept = recent;
    },
    since(ago) {
      const start = Date.now() - ago;
      return start < from ? null : kept.filter(({ at }) => at >= start).map(({ notification }) => notification);
    },
    reset() {
      kept = [];
      from = Date.now();
    },
  };
}
