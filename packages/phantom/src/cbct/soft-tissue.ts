import type { CbctScene } from "./teeth.ts";
import { greyValues } from "./grey-values.ts";
import { sampleTiledNoise } from "../math/tiled-noise.ts";
import { interpolateKnots, clamp, smoothStep } from "../math/shape-functions.ts";
import type { SliceGrid } from "./jaw-curve-coordinates.ts";

/** Air around the face, skin, fat, muscle and the airway of one slice. Overwrites every value. */
export function drawSoftTissue(values: Float32Array, grid: SliceGrid, z: number, { head: { scale } }: CbctScene): void {
  const height = z / scale;
  const front = interpolateKnots(profile, height);
  const nose = getNose(height);
  const widest = interpolateKnots(
    [
      [-46, 52],
      [-30, 60],
      [-10, 66],
      [10, 69],
      [35, 72],
      [50, 74],
    ],
    height,
  );
  const throat = getThroat(height);
  for (let row = 0; row < grid.rows; row++) {
    const y = (grid.y + row * grid.voxel) / scale;
    const half = getFaceHalfWidth(y, front, widest);
    const bridge = y < nose.tip ? 0 : nose.half * Math.sqrt(clamp((y - nose.tip) / 16, 0, 1));
    for (let column = 0; column < grid.columns; column++) {
      const x = Math.abs(grid.x + column * grid.voxel) / scale;
      const inside = Math.max(half - x, y < front + 8 ? bridge - x : -1);
      const at = row * grid.columns + column;
      values[at] =
        inside < 0
          ? greyValues.air
          : computeSoftGrey(
              inside,
              half,
              isAirway(throat, x, y, height),
              sampleTiledNoise(column, row, Math.round(z / grid.voxel), 3),
            );
    }
  }
}

// The middle of the face from below the chin to the root of the nose: height and y, mm.
const profile = [
  [-46, -30],
  [-42, -42],
  [-38, -49],
  [-31, -52.5],
  [-23, -49],
  [-15, -51],
  [-8, -55.5],
  [-3, -54],
  [0, -51.5],
  [3, -54.5],
  [8, -57],
  [14, -53],
  [20, -51],
  [35, -49],
  [50, -48],
] as const;

function getNose(height: number): { tip: number; half: number } {
  if (height < 13) return { tip: 1e3, half: 0 };
  return {
    tip: interpolateKnots(
      [
        [13, -53],
        [16, -66],
        [20, -73],
        [24, -72],
        [36, -64],
        [50, -56],
      ],
      height,
    ),
    half: interpolateKnots(
      [
        [13, 9],
        [17, 15],
        [22, 15],
        [30, 11],
        [50, 8],
      ],
      height,
    ),
  };
}

function getFaceHalfWidth(y: number, front: number, widest: number): number {
  const middle = 30;
  const t = Math.abs(y - middle) / (y < middle ? middle - front : 66);
  if (t >= 1) return -1;
  return widest * (1 - t ** 2.5) ** 0.52;
}

function computeSoftGrey(inside: number, half: number, airway: boolean, noise: number): number {
  if (airway) return greyValues.air;
  if (inside < 1.6) return greyValues.skin;
  const fatty =
    smoothStep(6.5 + 2 * noise, 3.5 + 2 * noise, inside) +
    0.9 * smoothStep(0.35, 0.75, noise) * smoothStep(14, 8, Math.abs(inside - 0.25 * half));
  return greyValues.muscle + 18 * noise + (greyValues.fat - greyValues.muscle) * clamp(fatty, 0, 1);
}

/** Half width, half depth and middle (the y) of the throat's ellipse at a height. */
export type Throat = { wide: number; deep: number; middle: number };

/** @param z height over the occlusal plane; all in mm of a head of scale 1 */
export const getThroat = (z: number): Throat => ({
  wide: interpolateKnots(
    [
      [-46, 14],
      [-10, 12],
      [6, 10],
      [24, 12],
      [36, 11],
      [42, 5],
    ],
    z,
  ),
  deep: interpolateKnots(
    [
      [-46, 7],
      [-20, 6.5],
      [0, 5],
      [16, 5.5],
      [28, 9],
      [38, 7],
      [42, 2],
    ],
    z,
  ),
  middle: interpolateKnots(
    [
      [-46, 43],
      [-20, 42],
      [0, 42],
      [14, 40],
      [28, 34],
      [42, 32],
    ],
    z,
  ),
});

function isAirway({ wide, deep, middle }: Throat, x: number, y: number, z: number): boolean {
  if (z < 42 && (x / wide) ** 2 + ((y - middle) / deep) ** 2 < 1) return true;
  if (x > 20) return false;
  const nostril = z > 14 && z < 24 && Math.hypot((x - 6) / 3, (y + 60 - (z - 14)) / 7) < 1;
  // A little air between tongue and palate.
  const mouth = Math.abs(z - 13 - 4 * (1 - (x / 20) ** 2)) < 0.8 && x < 18 && y > -26 && y < 10;
  return nostril || mouth;
}
