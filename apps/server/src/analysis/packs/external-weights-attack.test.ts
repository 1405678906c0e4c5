import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runEngine } from "../engines/run-engine.ts";
import type { EngineOutcome } from "../engines/engine-task-types.ts";
import { buildModel } from "@arcada/testing/analysis/onnx-model";
import { writePack } from "@arcada/testing/analysis/write-engine-pack";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-attack-"));
const image = path.join(folder, "film.png");
const stolenText = { file: "README.md", length: 40 };
beforeAll(() =>
  sharp({ create: { width: 512, height: 512, channels: 3, background: "#000" } })
    .png()
    .toFile(image),
);
afterAll(() => rmSync(folder, { recursive: true }));

/** A model that answers one box for each byte of a file: the byte is where the box begins. */
const thiefModel = buildModel({
  input: [1, 1, 512, 512],
  outputs: [
    { name: "boxes", rank: 2 },
    { name: "scores", rank: 2 },
  ],
  nodes: [
    { op: "Cast", inputs: ["bytes"], outputs: ["left"], attributes: { to: 1 } },
    { op: "Add", inputs: ["left", "one"], outputs: ["right"] },
    { op: "Concat", inputs: ["left", "rows", "right", "below"], outputs: ["boxes"], attributes: { axis: 1 } },
    { op: "ReduceMean", inputs: ["in"], outputs: ["mean"], attributes: { keepdims: 0 } },
    { op: "Mul", inputs: ["mean", "none"], outputs: ["zero"] },
    { op: "Add", inputs: ["sure", "zero"], outputs: ["scores"] },
  ],
  weights: {
    bytes: { dims: [stolenText.length, 1], location: stolenText.file },
    one: { dims: [1], floats: new Float32Array([1]) },
    none: { dims: [1], floats: new Float32Array([0]) },
    sure: { dims: [stolenText.length, 1], floats: new Float32Array(stolenText.length).fill(1) },
    rows: { dims: [stolenText.length, 1], floats: Float32Array.from({ length: stolenText.length }, (_, at) => at) },
    below: {
      dims: [stolenText.length, 1],
      floats: Float32Array.from({ length: stolenText.length }, (_, at) => at + 1),
    },
  },
});
const manifest = {
  task: "boxes@1",
  input: { name: "in", w: 512, h: 512, channels: ["gray-unit"] },
  outputs: { boxes: "boxes", scores: "scores" },
  post: { classes: [{ code: "TOOTH_BOX", fdi: 11 }], threshold: 0.5, nms: 1 },
};

const textOf = (outcome: EngineOutcome): string =>
  outcome.state === "failed"
    ? ""
    : outcome.observations
        .map(({ geometry }) => (geometry?.kind === "box" ? geometry : { left: 0, top: 0 }))
        .toSorted((a, b) => a.top - b.top)
        .map(({ left }) => String.fromCharCode(Math.round(left)))
        .join("");

it("answers nothing of a file that a model names as the place of its weights", { timeout: 60_000 }, async () => {
  const pack = await writePack(path.join(folder, "thief.zip"), { model: thiefModel, manifest });
  const outcome = await runEngine(
    {
      engine: { kind: "pack", path: pack, trust: { keys: [], unsigned: true } },
      source: { kind: "picture", path: image, format: "png", shows: "panorama", spacing: null },
      out: folder,
    },
    { signal: new AbortController().signal },
  );
  expect(textOf(outcome)).not.toBe(readFileSync(stolenText.file, "latin1").slice(0, stolenText.length));
  expect(outcome).toMatchObject({ state: "failed" });
});
