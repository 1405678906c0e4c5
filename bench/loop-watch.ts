import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** How long, in ms, the event loop of a server was held; `own`: by its own work at most, whatever else had the processor. */
export interface LoopSeen {
  most: number;
  p999: number;
  own: number;
}

// Loaded before the server's own code: begins to watch once it has started, and says what it saw when it ends.
const file = process.env.ARCADA_BENCH_LOOP;
if (isMainThread && file) {
  const startMs = 5000;
  const resolution = 5;
  const delay = monitorEventLoopDelay({ resolution });
  let [own, before] = [0, 0];
  const look = () => {
    const { user, system } = process.threadCpuUsage();
    const worked = (user + system) / 1000;
    if (before > 0) own = Math.max(own, worked - before);
    before = worked;
  };
  setTimeout(() => {
    delay.enable();
    setInterval(look, resolution).unref();
  }, startMs).unref();
  process.on("exit", () => {
    const seen: LoopSeen = { most: delay.max / 1e6, p999: delay.percentile(99.9) / 1e6, own };
    writeFileSync(file, JSON.stringify(seen));
  });
}
