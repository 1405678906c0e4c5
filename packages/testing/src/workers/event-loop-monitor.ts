import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

export interface EventLoopFigures {
  /** The longest blocking of the event loop, in ms. */
  stallMs: number;
  megabytes: number;
}

// Loaded into a server by --import: once a second it writes the maxima of its event-loop delay and its memory. SIGUSR2
// resets them.
const file = process.env["LOOP_FIGURES"];
if (file && isMainThread && process.argv[1]?.endsWith("main.ts")) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let megabytes = 0;
  process.on("SIGUSR2", () => {
    delay.reset();
    megabytes = 0;
  });
  setInterval(() => {
    megabytes = Math.max(megabytes, Math.round(process.memoryUsage.rss() / 1e6));
    writeFileSync(file, JSON.stringify({ stallMs: Math.round(delay.max / 1e6), megabytes } satisfies EventLoopFigures));
  }, 1000).unref();
}
