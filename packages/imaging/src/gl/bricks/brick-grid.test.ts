import { expect, it } from "vitest";
import { createHalfFloatTable } from "../half-float.ts";
import type { Vector } from "../../geometry/vector.ts";
import type { ViewportTexture } from "../../view/plane-view.ts";
import {
  brickInnerSide,
  brickSide,
  brickVoxels,
  copyBrick,
  countBricks,
  createBrickGrid,
  getBrickPosition,
  getBrickSlices,
  listBricks,
} from "./brick-grid.ts";

const size: Vector = [100, 64, 75];
const grid = createBrickGrid(size);

/** The bricks of all points of a plane or slab, found point by point. */
function findSampledBricks({ at, across, down, away }: ViewportTexture, reach: number): number[] {
  const found = new Set<number>();
  const steps = Array.from({ length: 81 }, (_, index) => index / 40 - 1);
  for (const u of steps)
    for (const v of steps)
      for (const depth of reach > 0 ? steps.map((step) => step * reach) : [0]) {
        const voxel = size.map((count, i) => (at[i] + u * across[i] + v * down[i] + depth * away[i]) * count);
        if (voxel.some((value, axis) => value < 0 || value > size[axis])) continue;
        const [x, y, z] = voxel.map((value, i) => Math.min(grid.counts[i] - 1, Math.floor(value / brickInnerSide)));
        found.add((z * grid.counts[1] + y) * grid.counts[0] + x);
      }
  return [...found];
}

const axial: ViewportTexture = { at: [0.5, 0.5, 0.3], across: [0.6, 0, 0], down: [0, 0.6, 0], away: [0, 0, 1 / 75] };
const oblique: ViewportTexture = {
  at: [0.4, 0.6, 0.5],
  across: [0.3, 0.2, 0.1],
  down: [-0.1, 0.2, 0.3],
  away: [0.004, -0.006, 0.003],
};

it("lists all bricks of a plane, and for a plane along the slices no other", () => {
  expect(new Set(listBricks(grid, axial, size, 0))).toEqual(new Set(findSampledBricks(axial, 0)));
  expect(listBricks(grid, oblique, size, 0)).toEqual(expect.arrayContaining(findSampledBricks(oblique, 0)));
});

it("lists the bricks of a slab to its whole depth", () => {
  const thin = listBricks(grid, axial, size, 7);
  const thick = listBricks(grid, axial, size, 8);
  expect([thin.length, thick.length]).toEqual([12, 24]);
  expect(listBricks(grid, oblique, size, 20)).toEqual(expect.arrayContaining(findSampledBricks(oblique, 20)));
});

it("lists fewer bricks for a close-up, the nearest to the middle of the viewport first", () => {
  const closeUp: ViewportTexture = { ...axial, at: [0.39, 0.55, 0.3], across: [0.2, 0, 0], down: [0, 0.1, 0] };
  const positions = listBricks(grid, closeUp, size, 0).map((brick) => getBrickPosition(grid, brick));
  expect(positions).toEqual([
    [1, 1, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 0],
  ]);
  expect(listBricks(grid, { ...closeUp, at: [3, 3, 3] }, size, 0)).toEqual([]);
  expect(listBricks(grid, { ...closeUp, down: [0, 0, 0] }, size, 0)).toEqual([]);
});

it("repeats one voxel of each neighbour in a brick, and the outermost ones at the border of the volume", () => {
  const values = Int16Array.from({ length: size[0] * size[1] * size[2] }, (_, at) => at % 2039);
  const valueAt = (x: number, y: number, z: number) => values[(z * size[1] + y) * size[0] + x];
  const table = createHalfFloatTable(0);
  const out = new Uint16Array(brickVoxels);
  const last = countBricks(grid) - 1;
  expect([getBrickPosition(grid, last), getBrickSlices(grid, last), getBrickSlices(grid, 0)]).toEqual([
    [3, 2, 2],
    [59, 74],
    [0, 30],
  ]);
  copyBrick(grid, last, values, table, out);
  const stored = (x: number, y: number, z: number) => out[(z * brickSide + y) * brickSide + x];
  expect(stored(0, 0, 0)).toBe(table[valueAt(89, 59, 59)]);
  expect(stored(10, 4, 15)).toBe(table[valueAt(99, 63, 74)]);
  expect(stored(31, 31, 31)).toBe(table[valueAt(99, 63, 74)]);
  copyBrick(grid, 0, values, table, out);
  expect([stored(0, 0, 0), stored(1, 1, 1), stored(31, 2, 3)]).toEqual([
    table[valueAt(0, 0, 0)],
    table[valueAt(0, 0, 0)],
    table[valueAt(30, 1, 2)],
  ]);
});
