import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** How long, in ms, the event loop of a server was held. */
export interface LoopSeen {
  most: number;
  p999: number;
}

// Loaded before the server's own code: begins to watch once it has started, and says what it saw when it ends.
const file = process.env.ARCADA_BENCH_LOOP;
if (isMainThread && file) {
  const startMs = 5000;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  setTimeout(() => delay.enable(), startMs).unref();
  process.on("exit", () => {
    const seen: LoopSeen = { most: delay.max / 1e6, p999: delay.percentile(99.9) / 1e6 };
    writeFileSync(file, JSON.stringify(seen));
  });
}
