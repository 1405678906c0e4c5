import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runInOwnFolder } from "@arcada/testing/setup/run-in-own-folder";

// Measures in a temporary folder of its own: a benchmark that is ended leaves no server and no gigabytes behind.
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop.abort());
const [first, ...others] = process.argv.slice(2);
const programOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const program =
  first === "record"
    ? [programOf("record-figures.ts"), ...others]
    : [programOf("measure.ts"), ...process.argv.slice(2)];
process.exitCode = await runInOwnFolder([process.execPath, ...program], {
  // The peers stay in place between runs.
  env: { ...process.env, BENCH_PEERS: process.env.BENCH_PEERS ?? path.join(tmpdir(), "arcada-bench-peers") },
  stop: stop.signal,
});
