import { describe, expect, it } from "vitest";
import { chooseClicks, createCanalVolume, measureToCanal, type CanalVolume } from "@arcada/phantom/cbct/canal-volume";
import type { VoxelGrid } from "../surface/voxel-grid.ts";
import { CanalError } from "./canal-error.ts";
import { traceCanal } from "./trace-canal.ts";

const toGrid = ({ columns, rows, slices, voxel, origin, data }: CanalVolume): VoxelGrid => ({
  data,
  info: { columns, rows, slices, spacing: [voxel, voxel, voxel], origin, direction: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
});
const shareOf = (list: readonly number[], share: number): number =>
  list.toSorted((a, b) => a - b)[Math.floor(share * (list.length - 1))];

describe("a traced nerve canal", () => {
  for (const [seed, voxel] of [
    ["quick one", 0.4],
    ["quick two", 0.35],
  ] as const)
    it(`is in the middle of the true canal of jaw "${seed}" between three points that are off by up to 1 mm`, () => {
      const jaw = createCanalVolume(seed, { voxel });
      const found = traceCanal(toGrid(jaw), chooseClicks(jaw.canal, [0.04, 0.5, 0.96], 1, seed));
      const errors = found.slice(4, -4).map(({ place }) => measureToCanal(jaw.canal, place));
      expect(shareOf(errors, 0.5)).toBeLessThan(0.5);
      expect(shareOf(errors, 0.95)).toBeLessThan(1);
    }, 30_000);

  it("says why it cannot be traced", () => {
    const jaw = createCanalVolume("small", { voxel: 1 });
    const problemOf = (points: readonly (readonly [number, number, number])[]): string => {
      try {
        traceCanal(toGrid(jaw), points);
      } catch (error) {
        if (error instanceof CanalError) return error.problem;
      }
      return "none";
    };
    const [from, to] = chooseClicks(jaw.canal, [0.1, 0.9], 0, "small");
    expect(problemOf([from, to])).toBe("none");
    expect(problemOf([from, from])).toBe("tooFewPoints");
    expect(problemOf([from, [500, 0, 0]])).toBe("outside");
  });
});
