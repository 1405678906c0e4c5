import { describe, expect, it } from "vitest";
import { createToneFunction } from "@arcada/imaging/image/voi-window";
import { createMiddlePlaneGrids, sampleMiddlePlanes } from "@arcada/imaging/view/middle-planes";
import { fitPlaneView, mapViewportToTexture, planeNames, anatomicalPlanes } from "@arcada/imaging/view/plane-view";
import type { PlaneName } from "@arcada/imaging/view/plane-view";
import { dot } from "@arcada/imaging/geometry/vector";
import { getMiddleVoxelPoint } from "@arcada/imaging/volume/volume-geometry";
import { voxelToPatient } from "@arcada/imaging/volume/voxel-to-patient";
import { buildPreview } from "@arcada/imaging/volume/volume-preview";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { getInitialView, drawPlane } from "./first-paint-planes.ts";

/** Not square, and of a size that is no multiple of the preview's, so that a wrong order of axes shows. */
const upright: VolumeInfo = {
  columns: 50,
  rows: 41,
  slices: 33,
  spacing: [0.5, 0.7, 0.9],
  origin: [-3, 4, 11],
  direction: [0, 1, 0, 1, 0, 0, 0, 0, -1],
  min: -2000,
  max: 2000,
  valueOffset: 0,
  valueScale: 1,
  window: { center: 0, width: 100 },
  valueName: "grey",
};
const [c, s] = [Math.cos(0.2), Math.sin(0.2)];
const rotated: VolumeInfo = { ...upright, direction: [c, s, 0, -s, c, 0, 0, 0, 1] };

/** Grows linearly through the patient: between voxels it equals the linear interpolation. */
const truth = ([x, y, z]: readonly [number, number, number]): number => 100 * x + 70 * y + 30 * z;
const viewport = { width: 61, height: 47 };

describe.each([
  { name: "that lies along the patient", volume: upright },
  { name: "that is turned by 11°", volume: rotated },
])("the first paint of a volume $name", ({ volume }) => {
  const values = new Int16Array(volume.columns * volume.rows * volume.slices);
  for (let k = 0, at = 0; k < volume.slices; k++)
    for (let j = 0; j < volume.rows; j++)
      for (let i = 0; i < volume.columns; i++) values[at++] = Math.round(truth(voxelToPatient(volume, [i, j, k])));
  const preview = buildPreview(volume, values);
  const grids = createMiddlePlaneGrids(volume, preview.info);
  const kept = sampleMiddlePlanes(volume, preview);
  const valuesOfPlane = (name: PlaneName): Int16Array => {
    const before = planeNames.slice(0, planeNames.indexOf(name));
    const from = before.reduce((sum, one) => sum + grids[one].columns * grids[one].rows, 0);
    return kept.subarray(from, from + grids[name].columns * grids[name].rows);
  };

  it.each(planeNames)("shows the %s plane as the viewer will: every pixel has the patient's value", (name) => {
    const plane = anatomicalPlanes[name];
    const view = fitPlaneView(volume, plane, viewport);
    const depth = dot(getMiddleVoxelPoint(volume), plane.away);
    const tone = createToneFunction({ center: truth(getMiddleVoxelPoint(volume)), width: 4000, shape: "linearExact" });
    const pixels = new Uint32Array(viewport.width * viewport.height);
    drawPlane(
      pixels,
      viewport,
      valuesOfPlane(name),
      grids[name],
      mapViewportToTexture(grids[name], plane, view, viewport, depth),
      tone,
    );

    // As the preview's texture is sampled: outside of 0 to 1 it is black, within half a voxel of that it is constant.
    const { at, across, down } = mapViewportToTexture(preview.info, plane, view, viewport, depth);
    const { columns, rows, slices } = preview.info;
    let [inside, seen] = [0, 0];
    for (let y = 0; y < viewport.height; y++)
      for (let x = 0; x < viewport.width; x++) {
        const [right, below] = [(2 * x + 1) / viewport.width - 1, (2 * y + 1) / viewport.height - 1];
        const place = [0, 1, 2].map((axis) => at[axis] + across[axis] * right + down[axis] * below);
        const rim = Math.min(
          ...place.flatMap((one, axis) => [one, 1 - one].map((far) => far * [columns, rows, slices][axis])),
        );
        const shade = pixels[y * viewport.width + x] & 0xff;
        expect(pixels[y * viewport.width + x] >>> 24).toBe(0xff);
        if (rim < -1) expect(shade).toBe(0);
        // The last voxels of the preview are means of fewer.
        if (rim < 2) continue;
        inside++;
        const voxel = place.map((one, axis) => one * [columns, rows, slices][axis] - 0.5);
        const here = voxelToPatient(preview.info, voxel as [number, number, number]);
        if (Math.abs(shade - tone(truth(here))) < 1) seen++;
      }
    expect(inside).toBeGreaterThan(200);
    expect(seen).toBe(inside);
    // The fitted volume does not fill a viewport of another shape.
    expect(pixels.some((pixel) => pixel === 0xff000000)).toBe(true);
  });
});

it("starts close up at the volume's middle if the layout does, else with the whole volume", () => {
  for (const name of planeNames) {
    const plane = anatomicalPlanes[name];
    const { middle, scale } = getInitialView(upright, plane, viewport, 13);
    expect([middle, scale]).toEqual([
      [dot(getMiddleVoxelPoint(upright), plane.right), dot(getMiddleVoxelPoint(upright), plane.down)],
      13,
    ]);
    expect(getInitialView(upright, plane, viewport)).toEqual(fitPlaneView(upright, plane, viewport));
  }
});

it("stores few values of a volume for the first paint: those of three planes of its preview", () => {
  const preview: VolumeInfo = { ...upright, columns: 13, rows: 11, slices: 9, spacing: [2, 2.8, 3.6] };
  const grids = createMiddlePlaneGrids(upright, preview);
  // Columns run from head to foot of nobody here: along the patient's second axis, so that rows are its first.
  expect([grids.axial.columns, grids.axial.rows]).toEqual([11, 13]);
  expect([grids.coronal.columns, grids.coronal.rows]).toEqual([11, 9]);
  expect([grids.sagittal.columns, grids.sagittal.rows]).toEqual([13, 9]);
});
