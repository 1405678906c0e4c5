import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { text as readText } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { present } from "@arcada/testing/require-present";

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
const module = new URL("thread-priority.ts", import.meta.url).href;

/** Returns the priorities of all threads of a process that starts at `priority` and lowers its own. */
async function lowerPriorities(call: "lowerThreadPriority" | "lowerProcessPriority", priority = 0): Promise<number[]> {
  const script = `const { getPriority } = await import("node:os");
    const { readdirSync } = await import("node:fs");
    (await import(${JSON.stringify(module)})).${call}();
    process.stdout.write(JSON.stringify(readdirSync("/proc/self/task").map((thread) => getPriority(Number(thread)))));`;
  const options = [`${priority}`, process.execPath, "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)("nice", ["-n", ...options]);
  return JSON.parse(stdout) as number[];
}

it.skipIf(process.platform !== "linux")("a process that an operator has made nicer keeps its priority", async () => {
  const [main] = await lowerPriorities("lowerThreadPriority", PRIORITY_LOW);
  expect(main).toBe(PRIORITY_LOW);
});

it.skipIf(process.platform !== "linux")(
  "a worker's threads that compile and collect garbage give way, too",
  async () => {
    const priorities = await lowerPriorities("lowerProcessPriority");
    expect(priorities.length).toBeGreaterThan(4);
    expect(new Set(priorities)).toEqual(new Set([PRIORITY_BELOW_NORMAL]));
  },
);

// On a busy machine a process of low priority waits long for a core: that is what its priority is for.
it.skipIf(!existsSync("/proc/self/autogroup"))(
  "a worker lowers the session that it leads, and no other",
  { timeout: 120_000 },
  async () => {
    expect(await lowerSession({ detached: true })).toBe(PRIORITY_BELOW_NORMAL);
    const [, own] = / nice (-?\d+)/.exec(readFileSync("/proc/self/autogroup", "utf8")) ?? [];
    expect(await lowerSession({ detached: false })).toBe(Number(own));
  },
);

/** Returns the priority of the session of a process that lowers its priority. */
async function lowerSession({ detached }: { detached: boolean }): Promise<number> {
  const script = `const { readFileSync } = await import("node:fs");
    (await import(${JSON.stringify(module)})).lowerProcessPriority();
    process.stdout.write(readFileSync("/proc/self/autogroup", "utf8"));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    detached,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code]] = await Promise.all([
    readText(present(child.stdout)),
    once(child, "exit") as Promise<[number]>,
  ]);
  expect(code).toBe(0);
  return Number(/ nice (-?\d+)/.exec(output)?.[1]);
}
