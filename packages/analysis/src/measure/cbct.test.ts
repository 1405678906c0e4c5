import { describe, expect, it } from "vitest";
import { cbctVolume } from "@arcada/imaging/phantom/cbct";
import { makeHead } from "@arcada/imaging/phantom/head";
import type { EngineVolume } from "../engine.ts";
import { passed } from "../gate.ts";
import { measurementInfo } from "./info.ts";
import { measurement } from "./measurement.ts";

const voxel = 1.4;
const size = { columns: 100, rows: 100, slices: 54, voxel };
const work = { signal: new AbortController().signal, onProgress: () => {} };
const volumeOf = (origin: [number, number, number], values: Int16Array): EngineVolume => ({
  kind: "volume",
  geometry: { ...size, spacing: [voxel, voxel, voxel], origin, direction: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
  values,
});

describe("a volume", () => {
  it("has its arches found within a voxel of the phantom's teeth, and is unrolled along them", async () => {
    const head = makeHead("one");
    const { origin, data } = cbctVolume(head, size);
    const volume = volumeOf([origin[0], origin[1], origin[2]], data);
    const { observations, artefacts } = passed(await measurement.analyse(volume, work), measurementInfo, volume);
    for (const [jaw, from] of [
      ["upper", 18],
      ["lower", 48],
    ] as const) {
      const arch = observations.find(({ target }) => target.kind === "region" && target.from === from);
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
    const [{ samples, columns, rows }] = artefacts;
    expect(samples).toHaveLength(columns * rows);
    // It is seen as it is, without a window: from black to white, and most of it in between.
    const sorted = samples.toSorted();
    const shades = [0.02, 0.5, 0.98].map((share) => sorted[Math.floor(share * sorted.length)] / 65_535);
    expect(shades[0]).toBeLessThan(0.2);
    expect(shades[1]).toBeGreaterThan(0.15);
    expect(shades[1]).toBeLessThan(0.85);
    expect(shades[2]).toBeGreaterThan(0.8);
  });

  it("without an arch is said to have none", async () => {
    const volume = volumeOf([0, 0, 0], new Int16Array(100 * 100 * 54));
    const { observations, abstentions, artefacts } = await measurement.analyse(volume, work);
    expect([observations, artefacts]).toEqual([[], []]);
    expect(abstentions.map(({ code }) => code)).toEqual(["CBCT_ARCH", "CBCT_PANO"]);
  });
});
