import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import path from "node:path";
import { Product } from "@arcada/testing/setup/product-process";
import type { Figure } from "./lib/figure-table.ts";
import { readProportionalMemory } from "./lib/process-memory.ts";

/** The tasks of the start have run by then, and the connections that they needed have closed. */
const idleMs = 40_000;

/**
 * Measures the second start of the bundled server on a data folder, as `npm start` runs it: the time until the product is ready, and the memory of all its processes
 * (web, worker, sealing of the audit log, PostgreSQL) after it has had nothing to do for a while. Shared pages count
 * proportionally.
 */
export async function measureIdle(): Promise<Figure[]> {
  const { serverEnvironment } = await load<{ serverEnvironment: Record<string, string> }>("memory-settings.mjs");
  const { findRuntime } = await load<{ findRuntime: () => string }>("find-node-runtime.mjs");
  const { buildServer } = await load<{ buildServer: (runtime: string) => Promise<string> }>("build-server.mjs");
  // Without a mail server, as a new installation has none.
  const environment = { ...serverEnvironment, NODE_ENV: "production", SMTP_URL: "", SMS_URL: "" };
  const product = new Product(environment, undefined, await buildServer(findRuntime()));
  try {
    await product.start();
    await product.stop();
    const began = performance.now();
    await product.start();
    const ready = (performance.now() - began) / 1000;
    await sleep(idleMs);
    return [
      { what: "second start, until the product is ready", ours: ready, unit: "s", goal: { most: 1 } },
      {
        what: "all processes, 40 s after the start",
        ours: readProportionalMemory([product.pid, product.postmasterPid()]),
        unit: "MB",
        goal: { most: 200 },
      },
    ];
  } finally {
    await product.remove();
  }
}

/** The commands of `npm start` are JavaScript without types. */
const load = async <T>(name: string): Promise<T> =>
  (await import(pathToFileURL(path.join(import.meta.dirname, "../scripts/lib", name)).href)) as T;
