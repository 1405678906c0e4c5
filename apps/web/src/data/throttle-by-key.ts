/** Throttle by key: does the work at once, and repeats it once after `ms` if it was requested again in between. */
export function throttleByKey<K>(ms: number, work: (key: K) => void): (key: K) => void {
  const entries = new Map<K, { isRequestedAgain: boolean }>();
  const run = (key: K): void => {
    const running = entries.get(key);
    if (running) return void (running.isRequestedAgain = true);
    const started = { isRequestedAgain: false };
    entries.set(key, started);
    work(key);
    setTimeout(() => {
      entries.delete(key);
      if (started.isRequestedAgain) run(key);
    }, ms);
  };
  return run;
}
