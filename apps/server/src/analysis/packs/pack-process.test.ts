import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildModel } from "@arcada/testing/analysis/onnx-model";
import { writePack } from "@arcada/testing/analysis/write-engine-pack";
import { packProgram, runInSandbox, wasmPackProgram, type PackProcessTask } from "./pack-process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-runtime-"));
const image = path.join(folder, "film.png");
const bright = { input: Buffer.alloc(400, 255), raw: { width: 20, height: 20, channels: 1 as const } };
beforeAll(() =>
  sharp({ create: { width: 640, height: 320, channels: 3, background: "#000" } })
    .composite([{ ...bright, left: 470, top: 90 }])
    .png()
    .toFile(image),
);
afterAll(() => rmSync(folder, { recursive: true }));

const options = { timeoutMs: 60_000, signal: new AbortController().signal, onProgress: () => {} };
const unsigned = { keys: [], unsigned: true };

it("names the runtime that a damaged installation lacks before it starts a process", async () => {
  const program = { ...packProgram, packages: [...packProgram.packages, "onnxruntime-that-nobody-installed"] };
  const task = { do: "look", path: "/does/not/exist.zip", trust: unsigned } as never;
  expect(await runInSandbox(task, options, program)).toMatchObject({
    fault: "runtimeMissing",
    reason: "runtimeNotInstalled",
  });
});

it("lets the process read the runtime in WebAssembly too where a native one is installed that may not load", () => {
  expect(packProgram.packages).toContain("onnxruntime-web");
});

it("does not run a file that holds another pack than the one that was chosen", { timeout: 60_000 }, async () => {
  const model = buildModel({
    input: [1, 1, 32, 64],
    outputs: [{ name: "map", rank: 4 }],
    nodes: [{ op: "Relu", inputs: ["in"], outputs: ["map"] }],
  });
  const pack = await writePack(path.join(folder, "replaced.zip"), { model });
  const expected = { id: "test.teeth", version: "1.0.0", sha256: "0".repeat(64) };
  const source = { kind: "picture", path: image, format: "png", shows: "panorama", spacing: null } as const;
  const engine = { kind: "pack", path: pack, trust: unsigned, expected } as const;
  const answer = await runInSandbox({ do: "run", task: { engine, source, out: folder } }, options);
  expect(answer).toMatchObject({ outcome: { state: "failed", fault: "packTampered" } });
});

it("finds the same tooth with the runtime in WebAssembly as with the native one", { timeout: 60_000 }, async () => {
  const model = buildModel({
    input: [1, 1, 32, 64],
    outputs: [{ name: "map", rank: 4 }],
    nodes: [{ op: "Relu", inputs: ["in"], outputs: ["map"] }],
  });
  const task: PackProcessTask = {
    do: "run",
    task: {
      engine: { kind: "pack", path: await writePack(path.join(folder, "pack.zip"), { model }), trust: unsigned },
      source: { kind: "picture", path: image, format: "png", shows: "panorama", spacing: null },
      out: folder,
    },
  };
  const observe = async (program: typeof packProgram) => {
    const answer = await runInSandbox(task, options, program);
    if (!("outcome" in answer) || answer.outcome.state !== "done") throw new Error(JSON.stringify(answer));
    return answer.outcome.observations.map(({ id: _, ...observation }) => observation);
  };
  const inWasm = await observe(wasmPackProgram);
  expect(inWasm).toMatchObject([{ code: "TOOTH_BOX", target: { kind: "tooth", fdi: 11 } }]);
  expect(await observe(packProgram)).toEqual(inWasm);
});
