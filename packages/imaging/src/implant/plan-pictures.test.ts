import { describe, expect, it } from "vitest";
import { createCurvedSurface } from "../arch/curved-surface.ts";
import type { VoxelGrid } from "../surface/voxel-grid.ts";
import { samplePanoramaPicture, samplePlanePicture } from "./plan-pictures.ts";

const [columns, rows, slices] = [40, 40, 30];
/** Values that rise by 10 for each mm to the left, by 1 to the back and by 100 upwards, in voxels of 1 mm. */
const grid: VoxelGrid = {
  info: {
    columns,
    rows,
    slices,
    spacing: [1, 1, 1],
    origin: [0, 0, 0],
    direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  },
  data: Int16Array.from({ length: columns * rows * slices }, (_, at) => {
    const [x, y, z] = [at % columns, Math.floor(at / columns) % rows, Math.floor(at / (columns * rows))];
    return 10 * x + y + 100 * z;
  }),
};
const middleOf = ({ columns: width, rows: height, values }: ReturnType<typeof samplePlanePicture>): number =>
  values[Math.floor(height / 2) * width + Math.floor(width / 2)];

describe("a picture of a plan", () => {
  it("shows the grey values of its plane, the right and down directions as given", () => {
    const frame = { middle: [20, 20, 15], right: [1, 0, 0], down: [0, 0, -1], width: 10, height: 8 } as const;
    const picture = samplePlanePicture(grid, frame, 0.5);
    expect([picture.columns, picture.rows]).toEqual([20, 16]);
    expect(picture.values[0]).toBeCloseTo(10 * 15.25 + 20 + 100 * 18.75, 2);
    expect(picture.values.at(-1)).toBeCloseTo(10 * 24.75 + 20 + 100 * 11.25, 2);
  });

  it("is empty outside the volume", () => {
    const frame = { middle: [0, 20, 15], right: [1, 0, 0], down: [0, 0, -1], width: 10, height: 8 } as const;
    const { values } = samplePlanePicture(grid, frame, 0.5);
    expect([Number.isNaN(values[0]), Number.isNaN(values[19])]).toEqual([true, false]);
  });

  it("follows the arch, as the mean of a layer on both sides of it", () => {
    const surface = createCurvedSurface([
      [5, 20, 15],
      [20, 20, 15],
      [35, 20, 15],
    ]);
    if (!surface) throw new Error("no arch");
    const frame = { from: 5, to: 25, top: 20, bottom: 10 };
    const picture = samplePanoramaPicture(grid, surface, frame, 0.5, 6);
    expect(middleOf(picture)).toBeCloseTo(10 * 20.25 + 20 + 100 * 14.75, 1);
  });
});
