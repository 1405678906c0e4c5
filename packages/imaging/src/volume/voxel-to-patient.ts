import type { VolumeInfo } from "./volume.ts";

export type Point = [number, number, number];
type VoxelGrid = Pick<VolumeInfo, "origin" | "spacing" | "direction">;

/** Voxel indices [column, row, slice], also between voxels, to patient LPS in mm (PS3.3 C.7.6.2.1.1). */
export function voxelToPatient({ origin, spacing, direction }: VoxelGrid, [i, j, k]: Readonly<Point>): Point {
  const [a, b, c] = [i * spacing[0], j * spacing[1], k * spacing[2]];
  return [0, 1, 2].map(
    (axis) => origin[axis] + a * direction[axis] + b * direction[3 + axis] + c * direction[6 + axis],
  ) as Point;
}

/** Patient LPS in mm to voxel indices [column, row, slice]; the inverse of `voxelToPatient`. */
export function patientToVoxel({ origin, spacing, direction }: VoxelGrid, point: Readonly<Point>): Point {
  const [x, y, z] = [point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]];
  // The direction matrix is orthonormal: its inverse is its transpose.
  return [0, 1, 2].map(
    (axis) => (x * direction[axis * 3] + y * direction[axis * 3 + 1] + z * direction[axis * 3 + 2]) / spacing[axis],
  ) as Point;
}

/**
 * Letters for a direction in patient LPS: L or R, P or A, H or F, the strongest first; weak parts are left out.
 * Source: PS3.3 C.7.6.1.1.1 (Patient Orientation).
 */
export function directionLetters(direction: readonly number[]): string {
  const length = Math.hypot(...direction) || 1;
  return (["LR", "PA", "HF"] as const)
    .map((pair, axis) => ({
      letter: direction[axis] > 0 ? pair[0] : pair[1],
      strength: Math.abs(direction[axis]) / length,
    }))
    .filter(({ strength }) => strength > 0.2)
    .sort((one, other) => other.strength - one.strength)
    .map(({ letter }) => letter)
    .join("");
}

/** The letters of the opposite edge: "AF" for "PH". */
export const oppositeLetters = (letters: string): string =>
  [...letters].map((letter) => opposites[letter] ?? letter).join("");

const opposites: Record<string, string> = { L: "R", R: "L", P: "A", A: "P", H: "F", F: "H" };
