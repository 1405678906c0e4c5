import { monitorEventLoopDelay } from "node:perf_hooks";

const resolution = 20;
const periodMs = 60_000;

/**
 * Event-loop lag: the milliseconds by which timers of this process came late, as the median and the 99th percentile.
 */
interface EventLoopLag {
  median: number;
  late: number;
}

const delay = monitorEventLoopDelay({ resolution });
let last: EventLoopLag | null = null;

/** Starts the measurement. The reported values are of the last whole minute, or of the first minute while it runs. */
export function watchEventLoopLag(): () => void {
  delay.enable();
  const timer = setInterval(() => {
    last = measure();
    delay.reset();
  }, periodMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    delay.disable();
  };
}

export const eventLoopLag = (): EventLoopLag => last ?? measure();

// Each sample is the time between two timers, which equals the resolution if nothing blocks the loop.
const percentile = (percent: number): number => Math.max(0, delay.percentile(percent) / 1e6 - resolution);
const measure = (): EventLoopLag => ({ median: percentile(50), late: percentile(99) });
