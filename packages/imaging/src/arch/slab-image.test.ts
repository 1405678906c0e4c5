import { describe, expect, it } from "vitest";
import { outsideValue } from "../volume/trilinear-sampler.ts";
import { dot, plus, times, type Vector } from "../geometry/vector.ts";
import { voxelToPatient } from "../volume/voxel-to-patient.ts";
import type { VolumeInfo } from "../volume/volume.ts";
import { createCurvedSurface, curvedSurfaceToPatient } from "./curved-surface.ts";
import { createCrossSection } from "./cross-section.ts";
import { renderCrossSectionImage, renderCurvedSurfaceImage } from "./slab-image.ts";
import { present } from "@arcada/testing/require-present";

const [c, s] = [Math.cos(0.2), Math.sin(0.2)];
const info: VolumeInfo = {
  columns: 60,
  rows: 52,
  slices: 44,
  spacing: [1.2, 1.3, 1.1],
  origin: [-36, -38, -22],
  direction: [c, s, 0, -s, c, 0, 0, 0, 1],
  min: -8000,
  max: 8000,
  valueOffset: 0,
  valueScale: 1,
  window: { center: 0, width: 100 },
  valueName: "grey",
};
/**
 * A linear function of the patient's coordinates: linear interpolation between voxels is exact, and so is its mean over
 * a slab.
 */
const truth = ([x, y, z]: Readonly<Vector>): number => 40 * x + 70 * y + 30 * z;
const data = new Int16Array(info.columns * info.rows * info.slices);
for (let k = 0, at = 0; k < info.slices; k++)
  for (let j = 0; j < info.rows; j++)
    for (let i = 0; i < info.columns; i++) data[at++] = Math.round(truth(voxelToPatient(info, [i, j, k])));

const path = present(
  createCurvedSurface(
    Array.from({ length: 13 }, (_, at): Vector => {
      const angle = (at * Math.PI) / 12;
      return [-18 * Math.cos(angle), -16 * Math.sin(angle), 3];
    }),
  ),
);
const view = { columns: 81, rows: 21, middle: [path.length / 2, 4] as const, pixel: 0.5, slab: 6 };

describe("the processor's images of an arch", () => {
  it("show at each point of the curved surface the value of the patient there", () => {
    const image = renderCurvedSurfaceImage({ info, data }, path, view);
    for (let row = 0; row < view.rows; row++)
      for (let column = 0; column < view.columns; column++) {
        const along = view.middle[0] + (column - 40) * view.pixel;
        const height = view.middle[1] + (10 - row) * view.pixel;
        const wanted = truth(curvedSurfaceToPatient(path, { along, height, out: 0 }));
        expect(Math.abs(image[row * view.columns + column] - wanted)).toBeLessThan(2);
      }
  });

  it("show at each point of a bent surface the value of the patient there", () => {
    const rows = 8;
    const columns = Math.ceil(path.length / 3) + 1;
    const out = Array.from({ length: rows * columns }, (_, at) => 4 * Math.sin(at));
    const bent = { ...path, bend: { columns, rows, low: -5, step: 3, out } };
    const image = renderCurvedSurfaceImage({ info, data }, bent, view);
    for (let row = 0; row < view.rows; row++)
      for (let column = 0; column < view.columns; column++) {
        const along = view.middle[0] + (column - 40) * view.pixel;
        const height = view.middle[1] + (10 - row) * view.pixel;
        const wanted = truth(curvedSurfaceToPatient(bent, { along, height, out: 0 }));
        expect(Math.abs(image[row * view.columns + column] - wanted)).toBeLessThan(2);
      }
  });

  it("show in a cross-section the cheek on the left, the tongue on the right and the skull above", () => {
    const crossSection = createCrossSection(path, path.length / 3);
    const image = renderCrossSectionImage({ info, data }, crossSection, { ...view, middle: [0, 0], slab: 0 });
    const { right, down } = crossSection.plane;
    for (const [column, row] of [
      [0, 0],
      [80, 0],
      [40, 10],
      [0, 20],
      [80, 20],
    ] as const) {
      const off = plus(times(right, (column - 40) * view.pixel), times(down, (row - 10) * view.pixel));
      expect(Math.abs(image[row * view.columns + column] - truth(plus(crossSection.point, off)))).toBeLessThan(2);
    }
    expect(dot(down, path.up)).toBeCloseTo(-1);
  });

  it("stay black beyond the surface's ends and outside the volume", () => {
    const wide = { ...view, columns: 401 };
    const image = renderCurvedSurfaceImage({ info, data }, path, wide);
    expect(image[0]).toBe(outsideValue);
    expect(image[200]).not.toBe(outsideValue);
    const high = renderCurvedSurfaceImage({ info, data }, path, { ...view, middle: [path.length / 2, 200] });
    expect(high.every((value) => value === outsideValue)).toBe(true);
  });
});
