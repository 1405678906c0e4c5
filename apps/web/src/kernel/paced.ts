/** Does work for a key at once, and what is asked for meanwhile once more when so long has passed. */
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
