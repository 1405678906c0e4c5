import { describe, expect, it } from "vitest";
import { toneOf } from "@arcada/imaging/picture/window";
import { fittedPane, paneTexture, planeNames, planes } from "@arcada/imaging/view/plane";
import { dot } from "@arcada/imaging/view/vector";
import { middleOf } from "@arcada/imaging/view/volume-geometry";
import { voxelToPatient } from "@arcada/imaging/volume/space";
import { paintPlane } from "./first-panes.ts";

/** Turned and not square, so that a mistake in the order of axes shows. */
const volume = {
  columns: 12,
  rows: 10,
  slices: 8,
  spacing: [0.5, 0.7, 0.9],
  origin: [-3, 4, 11],
  direction: [0, 1, 0, 1, 0, 0, 0, 0, -1],
} as const;
const geometry = { ...volume, spacing: [...volume.spacing], origin: [...volume.origin] } as Parameters<
  typeof middleOf
>[0];
/** Grows evenly through the patient: between voxels it is what a straight line gives. */
const truth = ([x, y, z]: readonly [number, number, number]): number => 10 * x + 7 * y + 3 * z;
const values = new Int16Array(volume.columns * volume.rows * volume.slices);
for (let k = 0, at = 0; k < volume.slices; k++)
  for (let j = 0; j < volume.rows; j++)
    for (let i = 0; i < volume.columns; i++) values[at++] = Math.round(truth(voxelToPatient(geometry, [i, j, k])) * 10);

describe("the first look at a volume", () => {
  it.each(planeNames)("shows the %s plane as the viewer will: every pixel is the patient's value there", (name) => {
    const [plane, size] = [planes[name], { width: 31, height: 23 }];
    const view = fittedPane(geometry, plane, size);
    const depth = dot(middleOf(geometry), plane.away);
    const place = paneTexture(geometry, plane, view, size, depth);
    const pixels = new Uint32Array(size.width * size.height);
    const window = { center: truth(middleOf(geometry)) * 10, width: 2000, shape: "linearExact" } as const;
    paintPlane(pixels, size, values, geometry, place, toneOf(window));
    const across = (x: number) => view.middle[0] + (x + 0.5 - size.width / 2) / view.scale;
    const down = (y: number) => view.middle[1] + (y + 0.5 - size.height / 2) / view.scale;
    for (const [x, y] of [
      [15, 11],
      [11, 11],
      [20, 12],
      [15, 7],
      [12, 15],
    ] as const) {
      const [right, below, away] = [plane.right, plane.down, plane.away];
      const here = [0, 1, 2].map((axis) => across(x) * right[axis]! + down(y) * below[axis]! + depth * away[axis]!);
      const expected = toneOf(window)(truth(here as [number, number, number]) * 10);
      expect(Math.abs((pixels[y * size.width + x]! & 0xff) - expected)).toBeLessThan(1.5);
    }
    // The fitted volume does not fill a pane of another shape: outside of it is black, and nothing is transparent.
    expect(pixels.some((pixel) => pixel === 0xff000000)).toBe(true);
    expect(pixels.every((pixel) => pixel >>> 24 === 0xff)).toBe(true);
  });
});
