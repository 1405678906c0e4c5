import { getStrides, growMask, type VoxelMask } from "./voxel-mask.ts";

export interface ShellLimits {
  /** Voxels from a hole's middle to its wall at most: marrow is narrower than a sinus or the mouth. */
  widest: number;
  /** True for a voxel of air. */
  isAir: (at: number) => boolean;
}

/** The share of a hole that may be air by noise. */
const mostAir = 0.2;

/**
 * Fills what bone encloses in a slice along any of the three axes. A hole in space would leave marrow empty: it leaks
 * through the openings of nerves and vessels.
 */
export function fillShells(mask: VoxelMask, limits: ShellLimits): VoxelMask {
  const { columns, rows, slices, inside } = mask;
  const filled = inside.slice();
  const near = growMask(mask, limits.widest).inside;
  const [x, y, z] = getStrides(mask);
  const fill = (first: number, width: number, height: number, across: number, down: number) =>
    fillPlane({ inside, near, filled, first, width, height, across, down }, limits);
  for (let slice = 0; slice < slices; slice++) fill(slice * z, columns, rows, x, y);
  for (let row = 0; row < rows; row++) fill(row * y, columns, slices, x, z);
  for (let column = 0; column < columns; column++) fill(column, rows, slices, y, z);
  return { ...mask, inside: filled };
}

interface Plane {
  inside: Uint8Array;
  /** The voxels that are near enough to bone for marrow. */
  near: Uint8Array;
  filled: Uint8Array;
  first: number;
  width: number;
  height: number;
  across: number;
  down: number;
}

function fillPlane(plane: Plane, limits: ShellLimits): void {
  const box = cropToBone(plane);
  if (!box) return;
  const isSeen = new Uint8Array(box.width * box.height);
  // The box has a frame of voxels outside: whatever is joined to its corner is no hole.
  collectPart(box, isSeen, 0);
  for (let spot = 0; spot < isSeen.length; spot++) {
    const at = box.first + (spot % box.width) * box.across + Math.floor(spot / box.width) * box.down;
    if (isSeen[spot] === 1 || box.inside[at] === 1) continue;
    const hole = collectPart(box, isSeen, spot);
    if (isMarrow(box, hole, limits)) for (const voxel of hole) box.filled[voxel] = 1;
  }
}

/** The part of a plane that holds bone, with a voxel around it; null without any. */
function cropToBone(plane: Plane): Plane | null {
  const { inside, first, width, height, across, down } = plane;
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let row = 0, start = first; row < height; row++, start += down)
    for (let column = 0, at = start; column < width; column++, at += across) {
      if (inside[at] === 0) continue;
      if (column < left) left = column;
      if (column > right) right = column;
      if (row < top) top = row;
      bottom = row;
    }
  if (right < 0) return null;
  const corner = first + (left - 1) * across + (top - 1) * down;
  return { ...plane, first: corner, width: right - left + 3, height: bottom - top + 3 };
}

/** The voxels outside the bone that are joined to one of them within a plane. */
function collectPart(
  { inside, first, width, height, across, down }: Plane,
  isSeen: Uint8Array,
  from: number,
): number[] {
  const part: number[] = [];
  const waiting = [from];
  isSeen[from] = 1;
  const reach = (spot: number, at: number) => {
    if (isSeen[spot] === 1 || inside[at] === 1) return;
    isSeen[spot] = 1;
    waiting.push(spot);
  };
  for (let spot = waiting.pop(); spot !== undefined; spot = waiting.pop()) {
    const column = spot % width;
    const row = (spot - column) / width;
    const at = first + column * across + row * down;
    part.push(at);
    if (column > 0) reach(spot - 1, at - across);
    if (column + 1 < width) reach(spot + 1, at + across);
    if (row > 0) reach(spot - width, at - down);
    if (row + 1 < height) reach(spot + width, at + down);
  }
  return part;
}

function isMarrow({ near }: Plane, hole: readonly number[], { isAir }: ShellLimits): boolean {
  let air = 0;
  for (const voxel of hole) {
    if (near[voxel] === 0) return false;
    if (isAir(voxel)) air++;
  }
  return air <= mostAir * hole.length;
}
