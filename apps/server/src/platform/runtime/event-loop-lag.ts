import { monitorEventLoopDelay } from "node:perf_hooks";

const resolution = 20;
const stretchMs = 60_000;

/**
 * Event-loop lag: the milliseconds by which timers of this process came late, as the median and the 99th percentile.
 */
interface Lag {
  median: number;
  late: number;
}

const delay = monitorEventLoopDelay({ resolution });
let last: Lag | null = null;

/** Starts the measurement. The reported values are of the last whole minute, or of the first minute while it runs. */
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

// Each sample is the time between two timers, which equals the resolution if nothing blocks the loop.
const late = (percent: number): number => Math.max(0, delay.percentile(percent) / 1e6 - resolution);
const now = (): Lag => ({ median: late(50), late: late(99) });
