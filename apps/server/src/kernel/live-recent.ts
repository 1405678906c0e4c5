/** What was told lately: whoever began to read a moment before they listen gets it, too. */
export interface Recent<T> {
  note(news: T): void;
  /** All since so many milliseconds ago, oldest first; null: not all of it is known any more. */
  since(ago: number): T[] | null;
  /** After a silence of which nobody knows what it hid. */
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
      // Thrown away in one go now and then, not one by one.
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
