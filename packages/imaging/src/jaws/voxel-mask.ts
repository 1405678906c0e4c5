/**
 * A mask of voxels, `[slice][row][column]`, 1 inside. Two voxels at every edge are 0, so that no step to a neighbour
 * leaves it.
 */
export interface VoxelMask {
  columns: number;
  rows: number;
  slices: number;
  inside: Uint8Array;
}

/** Voxels at each edge of a mask that are never inside. */
export const maskBorder = 2;

export const createMask = ({ columns, rows, slices }: Omit<VoxelMask, "inside">): VoxelMask => ({
  columns,
  rows,
  slices,
  inside: new Uint8Array(columns * rows * slices),
});

/** The steps from a voxel to its neighbours along columns, rows and slices. */
export const getStrides = ({ columns, rows }: Pick<VoxelMask, "columns" | "rows">): [number, number, number] => [
  1,
  columns,
  columns * rows,
];

/** Adds each voxel within `reach` steps along every axis. Voxels at an edge stay outside. */
export const growMask = (mask: VoxelMask, reach: number): VoxelMask => spreadAlongAxes(mask, reach, 1);

/** Removes each voxel within `reach` steps along every axis of one outside. */
export const shrinkMask = (mask: VoxelMask, reach: number): VoxelMask => spreadAlongAxes(mask, reach, 0);

function spreadAlongAxes(mask: VoxelMask, reach: number, value: 0 | 1): VoxelMask {
  const inside = mask.inside.slice();
  const [x, y, z] = getStrides(mask);
  const { columns, rows, slices } = mask;
  spreadLines(inside, [y, rows, z, slices], [x, columns], reach, value);
  spreadLines(inside, [x, columns, z, slices], [y, rows], reach, value);
  spreadLines(inside, [x, columns, y, rows], [z, slices], reach, value);
  clearEdges(mask, inside);
  return { ...mask, inside };
}

/** Spreads a value along each line of one axis, forwards and then backwards: the time does not depend on the reach. */
function spreadLines(
  inside: Uint8Array,
  [outer, outerCount, inner, innerCount]: readonly [number, number, number, number],
  [stride, count]: readonly [number, number],
  reach: number,
  value: 0 | 1,
): void {
  const spread = new Uint8Array(count);
  for (let a = 0; a < outerCount; a++)
    for (let b = 0; b < innerCount; b++) {
      const start = a * outer + b * inner;
      let [left, found] = [0, false];
      for (let at = 0, place = start; at < count; at++, place += stride) {
        if (inside[place] === value) [left, found] = [reach + 1, true];
        spread[at] = left > 0 ? 1 : 0;
        if (left > 0) left--;
      }
      if (!found) continue;
      left = 0;
      for (let at = count - 1, place = start + at * stride; at >= 0; at--, place -= stride) {
        if (inside[place] === value) left = reach + 1;
        if (left > 0 || spread[at] === 1) inside[place] = value;
        if (left > 0) left--;
      }
    }
}

function clearEdges({ columns, rows, slices }: Omit<VoxelMask, "inside">, inside: Uint8Array): void {
  const isEdge = (at: number, count: number): boolean => at < maskBorder || at >= count - maskBorder;
  for (let slice = 0; slice < slices; slice++)
    for (let row = 0; row < rows; row++) {
      const from = (slice * rows + row) * columns;
      if (isEdge(slice, slices) || isEdge(row, rows)) inside.fill(0, from, from + columns);
      else {
        inside.fill(0, from, from + maskBorder);
        inside.fill(0, from + columns - maskBorder, from + columns);
      }
    }
}

const [edgeLength, faceDiagonal, spaceDiagonal] = [3, 4, 5];
/** The unit of `measureDepths`: so much is one voxel. */
export const depthUnit = edgeLength;
const farthest = 65_000;

/**
 * The distance of each voxel inside from the nearest one outside, in thirds of a voxel; 0 outside. Source:
 * G. Borgefors, Distance transformations in digital images, 1986.
 */
export function measureDepths(mask: VoxelMask): Uint16Array {
  const { columns, rows, inside } = mask;
  const depths = new Uint16Array(inside.length);
  for (let at = 0; at < depths.length; at++) depths[at] = inside[at] === 1 ? farthest : 0;
  const before = listNeighboursBefore(columns, columns * rows);
  for (const sign of [1, -1] as const)
    for (let n = 0; n < depths.length; n++) {
      const at = sign > 0 ? n : depths.length - 1 - n;
      let least = depths[at];
      if (least === 0) continue;
      for (let each = 0; each < before.offsets.length; each++) {
        const through = depths[at + sign * before.offsets[each]] + before.lengths[each];
        if (through < least) least = through;
      }
      depths[at] = least;
    }
  return depths;
}

/** The neighbours that a sweep has met before a voxel. */
function listNeighboursBefore(row: number, slice: number): { offsets: Int32Array; lengths: Int32Array } {
  const parts = [-1, 0, 1];
  const steps = parts.flatMap((z) => parts.flatMap((y) => parts.map((x) => [x, y, z] as const))).slice(0, 13);
  const lengths = [0, edgeLength, faceDiagonal, spaceDiagonal];
  return {
    offsets: Int32Array.from(steps, ([x, y, z]) => x + row * y + slice * z),
    lengths: Int32Array.from(steps, ([x, y, z]) => lengths[Math.abs(x) + Math.abs(y) + Math.abs(z)]),
  };
}
