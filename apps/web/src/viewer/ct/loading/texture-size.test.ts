import { expect, it } from "vitest";
import { voxelToPatient } from "@arcada/imaging/volume/voxel-to-patient";
import type { VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";
import { canHoldWhole, chooseFirstLevel, computeDownsamplingFactor, downsampleGeometry } from "./texture-size.ts";

const volume: VolumeGeometry = {
  columns: 800,
  rows: 800,
  slices: 601,
  spacing: [0.2, 0.2, 0.2],
  origin: [5, 6, 7],
  direction: [0, 1, 0, -1, 0, 0, 0, 0, 1],
};

it("halves a volume that exceeds the memory or the side length of a texture", () => {
  expect(computeDownsamplingFactor({ ...volume, columns: 512, rows: 512, slices: 400 }, 2048)).toBe(1);
  expect(computeDownsamplingFactor(volume, 2048)).toBe(2);
  // A machine of 4 GB gives an eighth of them, and no less than a quarter of each side is left on one of 1 GB.
  expect([4, 1].map((gigabytes) => computeDownsamplingFactor(volume, 2048, gigabytes * 64e6))).toEqual([2, 4]);
  expect(computeDownsamplingFactor({ ...volume, columns: 300, rows: 300, slices: 300 }, 256)).toBe(2);
  expect(computeDownsamplingFactor({ ...volume, columns: 2000, rows: 2000, slices: 1500 }, 2048)).toBe(4);
});

const medium = { ...volume, columns: 512, rows: 512, slices: 400 };

it("holds a volume of 800 × 800 × 600 whole on a computer, but not within a tablet's budget of 1 GB", () => {
  expect([canHoldWhole(volume, 2, 1.53e9), canHoldWhole(volume, 2, 1e9)]).toEqual([true, false]);
  expect(canHoldWhole(medium, 1, 1e9)).toBe(true);
});

it("opens a volume by its half where the texture of all values would exceed a tablet's budget", () => {
  // 400 MB of values fit into the texture's budget, but not twice beside what the page takes.
  const large = { ...medium, slices: 763 };
  expect(computeDownsamplingFactor(large, 2048)).toBe(1);
  expect([large, medium].map((info) => chooseFirstLevel(info, true, 1, 1e9))).toEqual(["half", "full"]);
  expect([chooseFirstLevel(large, true, 1, Infinity), chooseFirstLevel(large, false, 1, 1e9)]).toEqual([
    "full",
    "full",
  ]);
  expect(chooseFirstLevel(volume, true, 2, Infinity)).toBe("half");
});

it("keeps patient coordinates exact: a coarse voxel is in the middle of those that it represents", () => {
  const coarse = downsampleGeometry(volume, 2);
  expect([coarse.columns, coarse.slices]).toEqual([400, 301]);
  voxelToPatient(coarse, [3, 4, 5]).forEach((value, axis) =>
    expect(value).toBeCloseTo(voxelToPatient(volume, [6.5, 8.5, 10.5])[axis], 9),
  );
});
