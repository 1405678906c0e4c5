import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runInOwnFolder } from "@arcada/testing/setup/run-in-own-folder";

// Measures in a temporary folder of its own: a benchmark that is ended leaves no server and no gigabytes behind.
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop.abort());
const measure = fileURLToPath(new URL("measure.ts", import.meta.url));
process.exitCode = await runInOwnFolder([process.execPath, measure, ...process.argv.slice(2)], {
  // The peers stay in place between runs.
  env: { ...process.env, BENCH_PEERS: process.env.BENCH_PEERS ?? path.join(tmpdir(), "arcada-bench-peers") },
  stop: stop.signal,
});
