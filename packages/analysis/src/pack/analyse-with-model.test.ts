import { describe, expect, it } from "vitest";
import { packManifest, type PackManifest } from "@arcada/contract/analysis/engine-pack";
import type { EngineImage } from "../engine.ts";
import { decodeOutputs } from "./analyse-with-model.ts";
import type { Outputs, Tensor } from "./model-tensors.ts";
import { createInputTensor } from "./model-tensors.ts";

const picture: EngineImage = {
  kind: "picture",
  shows: "panorama",
  columns: 400,
  rows: 200,
  samples: Float32Array.from({ length: 80_000 }, (_, at) => at % 400),
  spacing: null,
};

const manifestOf = (more: object): PackManifest =>
  packManifest.parse({
    id: "test.pack",
    version: "1.0.0",
    api: 1,
    modality: ["PX"],
    input: { name: "in", w: 40, h: 20, channels: ["gray-unit"] },
    produces: ["TOOTH_BOX"],
    sha256: "0".repeat(64),
    licence: "made by a test",
    card: "card.json",
    ...more,
  });

const tensor = (dims: number[], values: Record<number, number> = {}): Tensor => {
  const data = new Float32Array(dims.reduce((a, b) => a * b, 1));
  for (const [at, value] of Object.entries(values)) data[Number(at)] = value;
  return { dims, data };
};
const run = (manifest: PackManifest, outputs: Outputs) => decodeOutputs(outputs, manifest, picture);

describe("a model's input", () => {
  it("is the image at the model's size, channel by channel", () => {
    const { dims, data } = createInputTensor(picture, {
      name: "in",
      w: 40,
      h: 20,
      channels: ["gray-zscore", "x", "y"],
      equalise: true,
      fit: "stretch",
    });
    expect(dims).toEqual([1, 3, 20, 40]);
    expect(data[0]).toBeCloseTo(-data[39], 1);
    expect([data[800], data[839], data[1600], data[2399]]).toEqual([0.0125, 0.9875, 0.025, 0.975].map(Math.fround));
  });
});

describe("a model's input that keeps proportions", () => {
  it("holds the image in its middle, between margins of zeros", () => {
    const { data } = createInputTensor(
      { ...picture, rows: 100, samples: picture.samples.subarray(0, 40_000) },
      { name: "in", w: 40, h: 20, channels: ["gray-unit"], equalise: false, fit: "contain" },
    );
    const rowAt = (row: number) => data.subarray(40 * row, 40 * row + 40);
    for (const row of [0, 4, 15, 19]) expect(rowAt(row).every((value) => value === 0)).toBe(true);
    for (const row of [5, 14]) expect([rowAt(row)[0], rowAt(row)[39]]).toEqual([0, 1]);
  });

  it("gives positions in pixels of the image, and no landmark in a margin", () => {
    const manifest = manifestOf({
      task: "landmark-heatmap@1",
      input: { name: "in", w: 40, h: 40, channels: ["gray-unit"], fit: "contain" },
      outputs: { heatmap: "map" },
      produces: ["CEPH_LM_S", "CEPH_LM_N"],
      post: { landmarks: ["S", "N"], threshold: 0.5 },
    });
    const { observations, abstentions } = run(manifest, { map: tensor([2, 8, 8], { 27: 0.8, [64 + 3]: 0.9 }) });
    expect(observations).toMatchObject([{ code: "CEPH_LM_S", geometry: { at: [175, 75] } }]);
    expect(abstentions).toMatchObject([{ code: "CEPH_LM_N" }]);
  });

  it("gives how far off a landmark may be in pixels of the image, where the model tells it", () => {
    const manifest = manifestOf({
      task: "landmark-heatmap@1",
      input: { name: "in", w: 40, h: 40, channels: ["gray-unit"], fit: "contain" },
      outputs: { heatmap: "map", spread: "spread" },
      produces: ["CEPH_LM_S", "CEPH_LM_N"],
      post: { landmarks: ["S", "N"], threshold: 0.5 },
    });
    const outputs = {
      map: tensor([2, 8, 8], { 27: 0.8, [64 + 28]: 0.9 }),
      spread: { dims: [1, 2], data: Float32Array.from([0.05, 0.1]) },
    };
    const { observations } = run(manifest, outputs);
    const [first, second] = observations.map(({ geometry }) =>
      geometry && "radius" in geometry ? geometry.radius : 0,
    );
    expect([first, second]).toEqual([expect.closeTo(20, 3), expect.closeTo(40, 3)]);
    expect(observations[0]?.confidence).toMatchObject({ basis: "error", plusMinus: first, unit: "px" });
  });
});

describe("the observations from a model's outputs", () => {
  const teeth = { task: "fdi-centres@1", outputs: { heatmap: "map", size: "size" } };
  const post = { teeth: [12, 11, 21], threshold: 0.4, nms: 0.6 };
  const map = (values: Record<number, number>) => ({
    map: tensor([1, 3, 4, 8], values),
    size: { dims: [1, 2, 4, 8], data: new Float32Array(64).fill(0.125) },
  });

  it("are a box for each tooth whose position was found, with its calibrated confidence on the pack's own set", () => {
    const calibration = {
      set: "85 films",
      n: 85,
      bins: [
        [0.5, 0.6],
        [1, 0.97],
      ],
    };
    const manifest = manifestOf({ ...teeth, post, calibration });
    const { observations } = run(manifest, map({ 10: 0.9, [32 + 12]: 0.45, [64 + 13]: 0.3 }));
    expect(observations).toMatchObject([
      {
        code: "TOOTH_BOX",
        target: { fdi: 12 },
        confidence: { basis: "calibrated", p: 0.97, n: 85, set: "85 films" },
        geometry: { kind: "box", left: 100, right: 150, top: 62.5, bottom: 87.5 },
      },
      { target: { fdi: 11 }, confidence: { p: 0.6 } },
    ]);
  });

  it("are restricted to teeth in their anatomical order if the pack requires it", () => {
    const manifest = manifestOf({ ...teeth, post: { ...post, order: "fdi-monotone" } });
    const { observations } = run(manifest, map({ 13: 0.9, [32 + 11]: 0.5, [64 + 14]: 0.8 }));
    expect(observations.map(({ target }) => target)).toEqual([
      { kind: "tooth", fdi: 12 },
      { kind: "tooth", fdi: 21 },
    ]);
  });

  it("are a point for a landmark, and an abstention if it is too faint", () => {
    const manifest = manifestOf({
      task: "landmark-heatmap@1",
      outputs: { heatmap: "map" },
      produces: ["CEPH_LM_S", "CEPH_LM_N"],
      post: { landmarks: ["S", "N"], threshold: 0.5 },
    });
    const found = run(manifest, { map: tensor([2, 4, 8], { 10: 0.8, 11: 0.4, [32 + 3]: 0.2 }) });
    expect(found.observations).toMatchObject([{ code: "CEPH_LM_S", geometry: { kind: "point" } }]);
    const [{ geometry }] = found.observations;
    expect(geometry).toMatchObject({ at: [expect.closeTo(133.33, 1), 75] });
    expect(found.abstentions).toMatchObject([{ code: "CEPH_LM_N", reason: "selfCheckFailed" }]);
  });

  it("are a box of a class, once if several overlap each other", () => {
    const manifest = manifestOf({
      task: "boxes@1",
      outputs: { boxes: "b", scores: "s", classes: "c" },
      produces: ["FINDING_caries", "TOOTH_BOX"],
      post: { classes: [{ code: "FINDING_caries" }, { code: "TOOTH_BOX", fdi: 36 }], nms: 0.5 },
    });
    const boxes = { dims: [1, 3, 4], data: Float32Array.from([0, 0, 10, 10, 1, 0, 10, 10, 20, 10, 50, 30]) };
    const { observations } = run(manifest, {
      b: boxes,
      s: { dims: [1, 3], data: Float32Array.from([0.7, 0.9, 0.8]) },
      c: { dims: [1, 3], data: Float32Array.from([0, 0, 1]) },
    });
    expect(observations).toMatchObject([
      { code: "FINDING_caries", target: { kind: "image" }, geometry: { left: 10, right: 100, bottom: 100 } },
      { code: "TOOTH_BOX", target: { fdi: 36 }, geometry: { left: 200, right: 400, bottom: 200 } },
    ]);
  });

  it("are an outline for each connected component of a mask", () => {
    const manifest = manifestOf({
      task: "mask@1",
      outputs: { mask: "m" },
      produces: ["FINDING_filling"],
      post: { classes: [{ code: "FINDING_filling" }], leastArea: 0.05 },
    });
    // An L of three cells, and one separate cell that is too small.
    const { observations } = run(manifest, { m: tensor([1, 1, 4, 8], { 9: 0.9, 17: 0.9, 18: 0.9, 31: 0.9 }) });
    expect(observations).toHaveLength(1);
    expect(observations[0].geometry).toEqual({
      kind: "polygon",
      points: [
        [50, 50],
        [100, 50],
        [100, 100],
        [150, 100],
        [150, 150],
        [50, 150],
      ],
    });
  });

  it.each([
    ["a length that is not the task's", { map: tensor([1, 2, 4, 8]) }, "wrongShape"],
    ["an output that is missing", {}, "wrongShape"],
    ["a value that is no number", { map: tensor([1, 3, 4, 8], { 5: NaN }) }, "notANumber"],
    ["what is no share", { map: tensor([1, 3, 4, 8], { 5: 7 }) }, "wrongShape"],
  ])("are refused with %s", (_, outputs, fault) => {
    const manifest = manifestOf({ task: "fdi-centres@1", outputs: { heatmap: "map" }, post });
    expect(() => run(manifest, outputs)).toThrow(expect.objectContaining({ fault }));
  });
});
