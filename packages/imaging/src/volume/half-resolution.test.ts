import { describe, expect, it } from "vitest";
import { buildHalfResolution, needsHalfResolution } from "./half-resolution.ts";
import { patientToVoxel, voxelToPatient } from "./voxel-to-patient.ts";
import type { VolumeInfo } from "./volume.ts";

const info: VolumeInfo = {
  columns: 5,
  rows: 4,
  slices: 3,
  spacing: [0.2, 0.3, 0.4],
  origin: [10, 20, 30],
  direction: [0, 1, 0, -1, 0, 0, 0, 0, 1],
  min: 0,
  max: 59,
  valueOffset: 0,
  valueScale: 1,
  window: { center: 30, width: 60 },
  valueName: "grey",
};

describe("the half of a volume", () => {
  it("is kept of what a small device cannot hold, and of nothing else", () => {
    expect(needsHalfResolution({ columns: 800, rows: 800, slices: 600 })).toBe(true);
    expect(needsHalfResolution({ columns: 512, rows: 512, slices: 400 })).toBe(false);
  });

  it("has the mean of eight voxels at their common centre, and of fewer at the far edges", () => {
    const slice = (index: number) => Int16Array.from({ length: 20 }, (_, at) => index * 20 + at);
    const half = buildHalfResolution({ info, slice });
    expect(half.info).toMatchObject({ columns: 3, rows: 2, slices: 2, spacing: [0.4, 0.6, 0.8], min: 0, max: 59 });
    // The mean of columns 2 and 3, rows 2 and 3, slices 0 and 1.
    expect(half.slice(0)[1 * 3 + 1]).toBe(Math.round((12 + 13 + 17 + 18 + 32 + 33 + 37 + 38) / 8));
    // Column 4 alone, slice 2 alone.
    expect(half.slice(1)[2]).toBe(Math.round((44 + 49) / 2));
    patientToVoxel(info, voxelToPatient(half.info, [1, 1, 0])).forEach((index, axis) =>
      expect(index).toBeCloseTo([2.5, 2.5, 0.5][axis], 9),
    );
  });
});
