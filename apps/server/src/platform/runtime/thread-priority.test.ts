import { execFile } from "node:child_process";
import { constants } from "node:os";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const module = new URL("thread-priority.ts", import.meta.url).href;
const script = `const { lowerThreadPriority } = await import(${JSON.stringify(module)});
  lowerThreadPriority();
  process.stdout.write(String((await import("node:os")).getPriority()));`;

it.skipIf(process.platform !== "linux")("a process that an operator has made nicer keeps its priority", async () => {
  const options = [`${constants.priority.PRIORITY_LOW}`, process.execPath, "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)("nice", ["-n", ...options]);
  expect(Number(stdout)).toBe(constants.priority.PRIORITY_LOW);
});
