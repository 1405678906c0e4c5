const logEveryMs = 60_000;
const maxKeys = 1000;

/** Returns a function that admits one line a minute for each key: a peer must not fill the log. */
export function createLogLimit(): (key: string) => boolean {
  const last = new Map<string, number>();
  return (key) => {
    const now = performance.now();
    if (now - (last.get(key) ?? Number.NEGATIVE_INFINITY) < logEveryMs) return false;
    if (last.size > maxKeys) last.clear();
    last.set(key, now);
    return true;
  };
}
