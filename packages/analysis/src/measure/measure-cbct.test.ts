import { describe, expect, it } from "vitest";
import type { Target } from "@arcada/contract/analysis/observation";
import { createCbctVolume } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import type { EngineVolume } from "../engine.ts";
import { validateResult } from "../validate-result.ts";
import { measurementInfo } from "./measurement-engine-info.ts";
import { measurementEngine } from "./measurement-engine.ts";

const voxel = 1.4;
const size = { columns: 100, rows: 100, slices: 54, voxel };
const work = { signal: new AbortController().signal, onProgress: () => {} };
const volumeOf = (origin: [number, number, number], values: Int16Array): EngineVolume => ({
  kind: "volume",
  geometry: { ...size, spacing: [voxel, voxel, voxel], origin, direction: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
  values,
});

const nameOf = (target: Target): string | null => (target.kind === "region" ? target.name : target.kind);

const whole = createCbctVolume(makeHead("one"), size);

/** A part of the phantom: above or below a height (mm), from a column (`right`) or up to one (`left`). */
function cut({ above, below, right = 0, left = 100 }: Record<string, number | undefined>): EngineVolume {
  const sliceAt = (height: number): number => Math.round((height - whole.origin[2]) / voxel);
  const [low, high] = [
    above === undefined ? 0 : sliceAt(above),
    below === undefined ? size.slices : sliceAt(below) + 1,
  ];
  const columns = left - right;
  const values = Int16Array.from({ length: columns * size.rows * (high - low) }, (_, at) => {
    const row = low * size.rows + Math.floor(at / columns);
    return whole.data[row * size.columns + right + (at % columns)];
  });
  const { kind, geometry } = volumeOf(
    [whole.origin[0] + right * voxel, whole.origin[1], whole.origin[2] + low * voxel],
    values,
  );
  return { kind, geometry: { ...geometry, columns, slices: high - low }, values };
}

/** Voxels of 1.4 mm are too large for canals, the borders of teeth and the crest of the bone. */
const tooCoarse = [
  ["CBCT_CANAL", "right", "quality"],
  ["CBCT_CANAL", "left", "quality"],
  ["CBCT_TOOTH", "upper", "quality"],
  ["CBCT_TOOTH", "lower", "quality"],
  ["CBCT_JAW", "upper", "quality"],
  ["CBCT_JAW", "lower", "quality"],
];
const heightsCut = [
  ["CBCT_ARCH", "upper.height", "outsideField"],
  ["CBCT_ARCH", "lower.height", "outsideField"],
  ["CBCT_PANO", "image", "outsideField"],
  ...tooCoarse,
];

/** Lists the abstentions of a volume in which nothing was measured. */
async function told(volume: EngineVolume): Promise<unknown[]> {
  const { observations, abstentions, artefacts } = await measurementEngine.analyse(volume, work);
  expect([observations, artefacts]).toEqual([[], []]);
  return abstentions.map(({ code, target, reason }) => [code, nameOf(target), reason]);
}

describe("a volume", () => {
  it("has its arches found within a voxel of the phantom's teeth, and is unrolled along them", async () => {
    const head = makeHead("one");
    const { origin, data } = createCbctVolume(head, size);
    const volume = volumeOf([origin[0], origin[1], origin[2]], data);
    const { observations, abstentions, artefacts } = validateResult(
      await measurementEngine.analyse(volume, work),
      measurementInfo,
      volume,
    );
    for (const jaw of ["upper", "lower"] as const) {
      const arch = observations.find(({ target }) => target.kind === "region" && target.name === jaw);
      const points = arch?.geometry?.kind === "line" ? arch.geometry.points : [];
      const off = head.teeth
        .filter((tooth) => tooth.jaw === jaw && tooth.state !== "missing" && tooth.fdi % 10 < 7)
        .map(({ neck }) =>
          Math.min(
            ...points.map(([x, y]) =>
              Math.hypot(origin[0] + (x - 0.5) * voxel - neck[0], origin[1] + (y - 0.5) * voxel - neck[1]),
            ),
          ),
        )
        .toSorted((a, b) => a - b);
      expect(off[Math.floor(off.length / 2)]).toBeLessThan(voxel);
    }
    // The field ends over the chin's lower border and within the sockets of the joints; the panorama shows more than
    // the measured arches.
    expect(abstentions.map(({ code, target, reason }) => [code, nameOf(target), reason])).toEqual([
      ...["rightCondyle", "leftCondyle", "chin"].map((edge) => ["CBCT_PANO", `lower.${edge}`, "outsideField"]),
      ...tooCoarse,
    ]);
    const lengths = observations.flatMap(({ code, value }) => (code === "CBCT_ARCH" ? [Number(value)] : []));
    const [{ samples, columns, rows }] = artefacts;
    for (const length of lengths) {
      expect(length).toBeGreaterThan(90);
      expect(length).toBeLessThan(125);
      expect(columns * voxel).toBeGreaterThan(length + 50);
    }
    expect(samples).toHaveLength(columns * rows);
    // It is seen as it is, without a window: from black to white, and most of it in between.
    const sorted = samples.toSorted();
    const shades = [0.02, 0.5, 0.98].map((share) => sorted[Math.floor(share * sorted.length)] / 65_535);
    expect(shades[0]).toBeLessThan(0.2);
    expect(shades[1]).toBeGreaterThan(0.15);
    expect(shades[1]).toBeLessThan(0.85);
    expect(shades[2]).toBeGreaterThan(0.8);
  });

  it("has no arch and no panorama measured where it ends above the lower or below the upper teeth", async () => {
    for (const at of [0, 4, -4]) {
      expect(await told(cut({ above: at }))).toEqual(heightsCut);
      expect(await told(cut({ below: at }))).toEqual(heightsCut);
    }
  });

  it("that cuts one arch measures neither, reports which one it cuts, and is unrolled along the other", async () => {
    // The necks of seed one are at 8.3 and −6.8 mm: the field ends at those of one jaw.
    for (const [held, lost, volume, edges] of [
      ["upper", "lower", cut({ above: -7 }), ["rightCondyle", "leftCondyle", "chin"]],
      ["lower", "upper", cut({ below: 10 }), ["rightCondyle", "leftCondyle", "chin"]],
    ] as const) {
      const { observations, abstentions, artefacts } = validateResult(
        await measurementEngine.analyse(volume, work),
        measurementInfo,
        volume,
      );
      expect(observations.map(({ code, target }) => [code, nameOf(target)])).toEqual([["CBCT_PANO", "image"]]);
      expect(abstentions.map(({ code, target, reason }) => [code, nameOf(target), reason])).toEqual([
        ["CBCT_ARCH", `${lost}.height`, "outsideField"],
        ["CBCT_ARCH", held, "selfCheckFailed"],
        ["CBCT_PANO", `${lost}.height`, "outsideField"],
        ...edges.map((edge) => ["CBCT_PANO", `lower.${edge}`, "outsideField"]),
        ...tooCoarse,
      ]);
      expect(artefacts).toHaveLength(1);
    }
  });

  it("names the end of the arch that its field cuts", async () => {
    for (const [side, volume] of [
      ["right", cut({ right: 30 })],
      ["left", cut({ left: 70 })],
    ] as const) {
      const { observations, abstentions } = await measurementEngine.analyse(volume, work);
      expect(observations).toEqual([]);
      expect(abstentions.filter(({ code }) => code === "CBCT_ARCH").map(({ target }) => nameOf(target))).toEqual([
        `upper.${side}`,
        `lower.${side}`,
      ]);
    }
  });

  it("without an arch abstains from the arch and the panorama", async () => {
    const volume = volumeOf([0, 0, 0], new Int16Array(100 * 100 * 54));
    const { observations, abstentions, artefacts } = await measurementEngine.analyse(volume, work);
    expect([observations, artefacts]).toEqual([[], []]);
    expect(abstentions.map(({ code }) => code)).toEqual([
      "CBCT_ARCH",
      "CBCT_PANO",
      "CBCT_CANAL",
      "CBCT_TOOTH",
      "CBCT_JAW",
    ]);
  });
});
