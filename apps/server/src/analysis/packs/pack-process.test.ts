import { expect, it } from "vitest";
import { packProgram, runInSandbox } from "./pack-process.ts";

it("names the optional runtime that an installation lacks before it starts a process", async () => {
  const program = { ...packProgram, packages: [...packProgram.packages, "onnxruntime-that-nobody-installed"] };
  const task = { do: "look", path: "/does/not/exist.zip", trust: { keys: [], unsigned: true } } as never;
  const options = { timeoutMs: 1000, signal: new AbortController().signal, onProgress: () => {} };
  expect(await runInSandbox(task, options, program)).toMatchObject({
    fault: "runtimeMissing",
    reason: "runtimeNotInstalled",
  });
});
