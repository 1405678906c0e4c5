import { createHash } from "node:crypto";
import type { EngineVolume } from "@arcada/analysis/engine";
import { measurementEngine } from "@arcada/analysis/measure/measurement-engine";
import { packCard, packInfo, packManifest } from "@arcada/contract/analysis/engine-pack";
import { createCbctVolume } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { loadOnnxEngine } from "../apps/server/src/analysis/packs/onnx-engine.ts";
import { createLargePanorama } from "@arcada/testing/analysis/large-panorama";
import { buildModel, type ModelFixture } from "@arcada/testing/analysis/onnx-model";
import { buildCard, buildManifest } from "@arcada/testing/analysis/write-engine-pack";
import { median, type Figure } from "./lib/figure-table.ts";

const work = { signal: new AbortController().signal, onProgress: () => {} };
const rounds = 7;

/**
 * Measures the time that the engines take on one core. It is processor time, which other load affects less than
 * wall-clock time.
 */
export async function measureAnalysis(say: (line: string) => void): Promise<Figure[]> {
  const panorama = createLargePanorama();
  const measured = await measureCpuMs(() => measurementEngine.analyse(panorama, work));
  say(`panorama ${measured.toFixed(0)} ms`);
  const net = await createFiveMegabyteModel();
  const inferred = await measureCpuMs(() => net.analyse(panorama, work));
  say(`net ${inferred.toFixed(0)} ms`);
  const volume = largeVolume();
  const before = process.resourceUsage().maxRSS;
  const { arches, all } = await measureVolumeCpuMs(volume);
  const more = (process.resourceUsage().maxRSS - before) * 1024;
  const held = 1 + Math.max(0, more) / volume.values.byteLength;
  say(`volume ${arches.toFixed(0)} and ${all.toFixed(0)} ms, ${held.toFixed(2)} times its bytes`);
  return [
    { what: "a panorama of 2,800 × 1,400 measured", ours: measured, unit: "ms" },
    {
      what: "a net of 5 MB asked about it, with what comes before and after",
      ours: inferred,
      unit: "ms",
      goal: { most: 50 },
    },
    { what: "arches and panorama of a CBCT of 450 × 600 × 600", ours: arches / 1000, unit: "s", goal: { most: 3 } },
    { what: "these, its nerve canals, teeth and lower jaw", ours: all / 1000, unit: "s" },
    { what: "memory for that", ours: held, unit: "times the volume", goal: { most: 1.5 } },
  ];
}

/** The engine reports this progress when it has the panorama, and begins with the canals. */
const progressAfterPanorama = 0.4;

/** Processor time until the panorama is there, and until everything is. */
async function measureVolumeCpuMs(volume: EngineVolume): Promise<{ arches: number; all: number }> {
  let [before, untilPanorama] = [process.cpuUsage(), 0];
  const onProgress = (share: number) => {
    if (share === progressAfterPanorama) untilPanorama = process.cpuUsage(before).user / 1000;
  };
  const seen: { arches: number; all: number }[] = [];
  for (let round = 0; round < 4; round++) {
    before = process.cpuUsage();
    await measurementEngine.analyse(volume, { ...work, onProgress });
    seen.push({ arches: untilPanorama, all: process.cpuUsage(before).user / 1000 });
  }
  // The first run compiles.
  const warm = seen.slice(1);
  return { arches: median(warm.map(({ arches }) => arches)), all: median(warm.map(({ all }) => all)) };
}

async function measureCpuMs(run: () => Promise<unknown>): Promise<number> {
  await run();
  const seen: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    await run();
    seen.push(process.cpuUsage(before).user / 1000);
  }
  return median(seen);
}

/** A volume of 450 slices of 600 × 600, built from fewer voxels, each repeated several times. */
function largeVolume(): EngineVolume {
  const times = 5;
  const [columns, rows, slices, voxel] = [600, 600, 450, 0.25];
  const coarse = { columns: columns / times, rows: rows / times, slices: slices / times, voxel: voxel * times };
  const { data, origin } = createCbctVolume(makeHead("one"), coarse);
  const values = new Int16Array(columns * rows * slices);
  for (let slice = 0, at = 0; slice < slices; slice++)
    for (let row = 0; row < rows; row++) {
      const from = (Math.floor(slice / times) * coarse.rows + Math.floor(row / times)) * coarse.columns;
      for (let column = 0; column < columns; column++) values[at++] = data[from + Math.floor(column / times)];
    }
  const [x, y, z] = origin;
  return {
    kind: "volume",
    geometry: {
      columns,
      rows,
      slices,
      spacing: [voxel, voxel, voxel],
      origin: [x, y, z],
      direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    },
    values,
  };
}

/** Convolutions with 1.25 million random weights. */
async function createFiveMegabyteModel() {
  const layers = [
    [1, 32],
    [32, 64],
    [64, 128],
    [128, 256],
    [256, 376],
  ] as const;
  const weights: NonNullable<ModelFixture["weights"]> = {};
  const nodes = layers.map(([from, to], at) => {
    weights[`w${at}`] = { dims: [to, from, 3, 3], floats: randomWeights(to * from * 9) };
    const inputs = [at === 0 ? "in" : `x${at - 1}`, `w${at}`];
    return { op: "Conv", inputs, outputs: [`x${at}`], attributes: { strides: [2, 2], pads: [1, 1, 1, 1] } };
  });
  weights.last = { dims: [32, 376, 1, 1], floats: randomWeights(32 * 376) };
  const model = buildModel({
    input: [1, 1, 224, 416],
    outputs: [{ name: "map", rank: 4 }],
    nodes: [
      ...nodes,
      { op: "Conv", inputs: [`x${layers.length - 1}`, "last"], outputs: ["raw"] },
      { op: "Sigmoid", inputs: ["raw"], outputs: ["map"] },
    ],
    weights,
  });
  const manifest = packManifest.parse({
    ...buildManifest({ post: { threshold: 0 } }),
    input: { name: "in", w: 416, h: 224, channels: ["gray-zscore"] },
    sha256: createHash("sha256").update(model).digest("hex"),
  });
  const card = packCard.parse(buildCard);
  const info = packInfo(manifest, card, "learned");
  return loadOnnxEngine({ manifest, info, manifestText: "", licence: "", signedBy: null, model });
}

function randomWeights(count: number): Float32Array {
  let state = 3;
  return Float32Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state / 2_147_483_647 - 0.5) / 16;
  });
}
