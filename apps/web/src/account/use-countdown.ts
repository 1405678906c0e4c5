import { useEffect, useState } from "react";

/** A countdown in seconds, stored under its own name, so that a reload does not restart it. */
export function useCountdown(name: string): [left: number, start: (seconds: number) => void] {
  const [end, setEnd] = useState(() => readEnd(name));
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, Math.ceil((end - now) / 1000));
  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return localStorage.removeItem(keyOf(name));
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning, name]);
  const start = (seconds: number) => {
    const to = Date.now() + seconds * 1000;
    localStorage.setItem(keyOf(name), String(to));
    setNow(Date.now());
    setEnd(to);
  };
  return [left, start];
}

const keyOf = (name: string): string => `arcada.countdown.${name}`;
const maxDurationMs = 3_600_000;
/** A clock that was set back must not lock a button for days. */
function readEnd(name: string): number {
  const end = Number(localStorage.getItem(keyOf(name)) ?? 0);
  return end > Date.now() && end < Date.now() + maxDurationMs ? end : 0;
}
