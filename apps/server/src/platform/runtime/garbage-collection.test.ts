import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../../../../..");
const urlOf = (file: string): string => pathToFileURL(path.join(root, file)).href;

// Each thread drops 48 MB and reports how many are left after a collection.
const program = `
  import { isMainThread, parentPort, Worker } from "node:worker_threads";
  const { collectGarbage } = await import("${urlOf("apps/server/src/platform/runtime/garbage-collection.ts")}");
  let held = Array.from({ length: 48 }, (_, i) => Buffer.alloc(1024 * 1024, i));
  const dropped = process.memoryUsage().arrayBuffers;
  held = null;
  collectGarbage("all");
  for (let i = 0; i < 500 && process.memoryUsage().arrayBuffers > dropped / 2; i++) await new Promise((r) => setTimeout(r, 10));
  const left = [dropped, process.memoryUsage().arrayBuffers].map((bytes) => Math.round(bytes / 1024 / 1024));
  if (!isMainThread) parentPort.postMessage(left);
  else new Worker(new URL(process.argv[1])).on("message", (others) => console.log(JSON.stringify([left, others])));
`;

it("every thread of a program that npm start begins gives back at once what it dropped", async () => {
  for (const [dropped, left] of (await run(program)) as [number, number][]) {
    expect(dropped).toBeGreaterThan(40);
    expect(left).toBeLessThan(24);
  }
});

// Drops some 100 MB of objects, and reports the memory of the process before and after, in MB.
const heapProgram = `
  const { returnMemory } = await import("${urlOf("apps/server/src/platform/runtime/garbage-collection.ts")}");
  const fill = () => Array.from({ length: 800_000 }, (_, i) => ({ i, list: [i] })).length;
  fill();
  const before = process.memoryUsage().rss;
  returnMemory();
  console.log(JSON.stringify([before, process.memoryUsage().rss].map((bytes) => Math.round(bytes / 1e6))));
`;

it("the memory of many dropped objects is returned to the system", async () => {
  const [before, after] = (await run(heapProgram)) as [number, number];
  expect(before - after).toBeGreaterThan(50);
});

/** Runs a program as `npm start` would, and returns the JSON that it prints. */
async function run(source: string): Promise<unknown> {
  const { serverEnvironment } = (await import(urlOf("scripts/lib/memory-settings.mjs"))) as {
    serverEnvironment: Record<string, string>;
  };
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", `import(process.argv[1])`, url], {
    env: { PATH: process.env.PATH, ...serverEnvironment },
    encoding: "utf8",
  });
  return JSON.parse(said);
}
