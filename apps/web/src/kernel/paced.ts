/** Throttle by key: does the work at once, and repeats it once after `ms` if it was requested again in between. */
export function paced<K>(ms: number, work: (key: K) => void): (key: K) => void {
  const waiting = new Map<K, { again: boolean }>();
  const ask = (key: K): void => {
    const held = waiting.get(key);
    if (held) return void (held.again = true);
    const pace = { again: false };
    waiting.set(key, pace);
    work(key);
    setTimeout(() => {
      waiting.delete(key);
      if (pace.again) ask(key);
    }, ms);
  };
  return ask;
}
