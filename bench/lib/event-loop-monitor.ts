import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/**
 * The longest delays (ms) of a server's event loop; `own`: an upper bound from the thread's own processor time,
 * independent of other processes.
 */
export interface EventLoopDelays {
  most: number;
  p999: number;
  own: number;
}

// Loaded before the server's own code. It starts to measure once the server has started, and reports the result when it
// ends.
const file = process.env.ARCADA_BENCH_LOOP;
if (isMainThread && file) {
  const startMs = 5000;
  const resolution = 5;
  const delay = monitorEventLoopDelay({ resolution });
  let [own, before] = [0, 0];
  const sample = () => {
    const { user, system } = process.threadCpuUsage();
    const worked = (user + system) / 1000;
    if (before > 0) own = Math.max(own, worked - before);
    before = worked;
  };
  setTimeout(() => {
    delay.enable();
    setInterval(sample, resolution).unref();
  }, startMs).unref();
  process.on("exit", () => {
    const seen: EventLoopDelays = { most: delay.max / 1e6, p999: delay.percentile(99.9) / 1e6, own };
    writeFileSync(file, JSON.stringify(seen));
  });
}
