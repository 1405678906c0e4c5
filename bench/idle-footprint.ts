import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import path from "node:path";
import { Product } from "@arcada/testing/setup/product-process";
import type { Figure } from "./lib/figure-table.ts";
import { readProportionalMemory } from "./lib/process-memory.ts";

/** The tasks of the start have run by then, and the connections that they needed have closed. */
const idleMs = 40_000;

/**
 * Measures the second start on a data folder: the time until the product is ready, and the memory of all its processes
 * (web, worker, sealing of the audit log, PostgreSQL) after it has had nothing to do for a while. Shared pages count
 * proportionally.
 */
export async function measureIdle(): Promise<Figure[]> {
  const settings = pathToFileURL(path.join(import.meta.dirname, "../scripts/lib/memory-settings.mjs")).href;
  const { serverEnvironment } = (await import(settings)) as { serverEnvironment: Record<string, string> };
  // Without a mail server, as a new installation has none.
  const product = new Product({ ...serverEnvironment, NODE_ENV: "production", SMTP_URL: "", SMS_URL: "" });
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
