import { monitorEventLoopDelay } from "node:perf_hooks";

const resolution = 20;
const stretchMs = 60_000;

/** Milliseconds by which timers of this process came late: half of them at most, and ninety-nine of a hundred at most. */
interface Lag {
  median: number;
  late: number;
}

const delay = monitorEventLoopDelay({ resolution });
let last: Lag | null = null;

/** Begins to measure; what is told is of the last whole minute, or of the one that has begun where it is the first. */
export function watchLag(): () => void {
  delay.enable();
  const timer = setInterval(() => {
    last = now();
    delay.reset();
  }, stretchMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    delay.disable();
  };
}

export const lagHere = (): Lag => last ?? now();

// Each sample is the time between two timers, which is the resolution where nothing holds the loop.
const late = (percent: number): number => Math.max(0, delay.percentile(percent) / 1e6 - resolution);
const now = (): Lag => ({ median: late(50), late: late(99) });
