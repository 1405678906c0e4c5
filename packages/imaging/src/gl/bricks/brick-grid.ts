import { cross, dot, minus, times, type Vector } from "../../geometry/vector.ts";
import type { ViewportTexture } from "../../view/plane-view.ts";

/**
 * Voxels along the side of a brick as it is stored, and of its own part. The outermost voxels repeat those of the
 * neighbours, so that linear interpolation at the border of two bricks is that of the whole volume.
 */
export const brickSide = 32;
export const brickInnerSide = brickSide - 2;
export const brickVoxels = brickSide ** 3;

/** A volume cut into bricks; a brick's number counts along columns, then rows, then slices. */
export interface BrickGrid {
  /** Voxels along columns, rows and slices. */
  size: Vector;
  /** Bricks along columns, rows and slices. */
  counts: Vector;
}

export const createBrickGrid = (size: Vector): BrickGrid => ({
  size,
  counts: [countAlong(size[0]), countAlong(size[1]), countAlong(size[2])],
});

const countAlong = (voxels: number): number => Math.ceil(voxels / brickInnerSide);

export const countBricks = ({ counts: [x, y, z] }: BrickGrid): number => x * y * z;

/** Bricks along columns, rows and slices that lie before a brick. */
export const getBrickPosition = ({ counts: [x, y] }: BrickGrid, brick: number): Vector => [
  brick % x,
  Math.floor(brick / x) % y,
  Math.floor(brick / (x * y)),
];

/** The first and the last slice whose values a brick holds. */
export function getBrickSlices(grid: BrickGrid, brick: number): readonly [first: number, last: number] {
  const first = getBrickPosition(grid, brick)[2] * brickInnerSide - 1;
  return [Math.max(0, first), Math.min(grid.size[2] - 1, first + brickSide - 1)];
}

/** Voxels by which rounding on the graphics processor may take a sample over the border of a brick. */
const tolerance = 0.02;

/**
 * Returns the bricks that a plane or slab in a viewport may sample, those nearest to the middle of the viewport first;
 * some at its edges may not be sampled.
 * @param place where the viewport lies in a texture, from 0 to 1
 * @param scale voxels of the grid along each side of this texture
 * @param reach mm on either side of the plane
 */
export function listBricks(grid: BrickGrid, place: ViewportTexture, scale: Vector, reach: number): number[] {
  const [at, across, down, away] = [place.at, place.across, place.down, place.away].map((part) =>
    multiply(part, scale),
  ) as [Vector, Vector, Vector, Vector];
  const toViewport = invert(across, down, away);
  if (!toViewport) return [];
  const half = brickInnerSide / 2 + tolerance;
  // Along each axis of the viewport: how far from its middle a brick's middle may be for the two to meet.
  const most = toViewport.map(
    (row, axis) => (axis === 2 ? reach : 1) + half * (Math.abs(row[0]) + Math.abs(row[1]) + Math.abs(row[2])),
  );
  const [columns, rows, slices] = [0, 1, 2].map((axis) => {
    const far = Math.abs(across[axis]) + Math.abs(down[axis]) + reach * Math.abs(away[axis]) + tolerance;
    const index = (voxel: number) => Math.floor(voxel / brickInnerSide);
    return [Math.max(0, index(at[axis] - far)), Math.min(grid.counts[axis] - 1, index(at[axis] + far))] as const;
  });
  const found: { brick: number; far: number }[] = [];
  for (let z = slices[0]; z <= slices[1]; z++)
    for (let y = rows[0]; y <= rows[1]; y++)
      for (let x = columns[0]; x <= columns[1]; x++) {
        const from = minus(times([x + 0.5, y + 0.5, z + 0.5], brickInnerSide), at);
        if (toViewport.some((row, axis) => Math.abs(dot(row, from)) > most[axis])) continue;
        found.push({ brick: (z * grid.counts[1] + y) * grid.counts[0] + x, far: dot(from, from) });
      }
  return found.sort((one, other) => one.far - other.far).map(({ brick }) => brick);
}

const multiply = (a: Vector, b: Vector): Vector => [a[0] * b[0], a[1] * b[1], a[2] * b[2]];

/** The rows of the inverse of the matrix with these columns; null if they lie in one plane. */
function invert(a: Vector, b: Vector, c: Vector): [Vector, Vector, Vector] | null {
  const determinant = dot(a, cross(b, c));
  if (!(Math.abs(determinant) > 1e-12)) return null;
  return [
    times(cross(b, c), 1 / determinant),
    times(cross(c, a), 1 / determinant),
    times(cross(a, b), 1 / determinant),
  ];
}

/**
 * Copies a brick out of a volume as half floats; beyond the volume's border its outermost voxels are repeated.
 * @param values `[slice][row][column]`, as stored
 * @param table half floats by the 16 bits of a value
 * @param out `brickVoxels` half floats, `[slice][row][column]`
 */
export function copyBrick(
  grid: BrickGrid,
  brick: number,
  values: Int16Array,
  table: Uint16Array,
  out: Uint16Array,
): void {
  const [columns, rows, slices] = grid.size;
  const [x, y, z] = times(getBrickPosition(grid, brick), brickInnerSide);
  const clampAll = (first: number, count: number) =>
    Int32Array.from({ length: brickSide }, (_, at) => Math.min(count - 1, Math.max(0, first + at)));
  const [fromColumns, fromRows, fromSlices] = [
    clampAll(x - 1, columns),
    clampAll(y - 1, rows),
    clampAll(z - 1, slices),
  ];
  let to = 0;
  for (let slice = 0; slice < brickSide; slice++)
    for (let row = 0; row < brickSide; row++) {
      const line = (fromSlices[slice] * rows + fromRows[row]) * columns;
      for (let column = 0; column < brickSide; column++) out[to++] = table[values[line + fromColumns[column]] & 0xffff];
    }
}
