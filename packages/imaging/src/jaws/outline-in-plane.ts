import { minus, plus, times, type Vector } from "../geometry/vector.ts";
import type { Point2D } from "../view/measure-lengths-angles.ts";
import { patientToVoxel } from "../volume/voxel-to-patient.ts";
import type { JawBody } from "./segment-jaws.ts";

/** A lattice in a plane: patient mm of its first point, and of a step along its rows and down its columns. */
export interface PlaneLattice {
  from: Vector;
  across: Vector;
  down: Vector;
  columns: number;
  rows: number;
}

/** The most points of a lattice along an axis; a coarser one would miss parts, so that nothing is drawn. */
const mostPoints = 600;

/**
 * The line in which a plane cuts a body, as pieces between points of the lattice, which are counted from its first.
 * Each cell with corners on both sides has one or two pieces (marching squares).
 */
export function outlineInPlane({ info, inside }: JawBody, lattice: PlaneLattice): [Point2D, Point2D][] {
  const { columns, rows, from } = lattice;
  if (!(columns > 1 && rows > 1 && columns <= mostPoints && rows <= mostPoints)) return [];
  const start = patientToVoxel(info, [...from]);
  const toStep = (way: Vector): Vector => minus(patientToVoxel(info, [...plus(from, way)]), start);
  const [across, down] = [toStep(lattice.across), toStep(lattice.down)];
  const isInside = new Uint8Array(columns * rows);
  for (let row = 0, at = 0; row < rows; row++) {
    const first = plus(start, times(down, row));
    for (let column = 0; column < columns; column++, at++) {
      const x = Math.round(first[0] + column * across[0]);
      const y = Math.round(first[1] + column * across[1]);
      const z = Math.round(first[2] + column * across[2]);
      if (x < 0 || y < 0 || z < 0 || x >= info.columns || y >= info.rows || z >= info.slices) continue;
      isInside[at] = inside[x + info.columns * (y + info.rows * z)];
    }
  }
  const pieces: [Point2D, Point2D][] = [];
  for (let row = 0; row + 1 < rows; row++)
    for (let column = 0; column + 1 < columns; column++) {
      const at = row * columns + column;
      const corners = isInside[at] + 2 * isInside[at + 1] + 4 * isInside[at + columns] + 8 * isInside[at + columns + 1];
      for (const [one, other] of cellPieces[corners])
        pieces.push([
          [column + one[0], row + one[1]],
          [column + other[0], row + other[1]],
        ]);
    }
  return pieces;
}

const [top, bottom, left, right]: Point2D[] = [
  [0.5, 0],
  [0.5, 1],
  [0, 0.5],
  [1, 0.5],
];
/** The pieces of a cell by its corners inside: upper left 1, upper right 2, lower left 4, lower right 8. */
const cellPieces: readonly (readonly (readonly [Point2D, Point2D])[])[] = [
  [],
  [[left, top]],
  [[top, right]],
  [[left, right]],
  [[left, bottom]],
  [[top, bottom]],
  [
    [top, right],
    [left, bottom],
  ],
  [[right, bottom]],
  [[right, bottom]],
  [
    [left, top],
    [right, bottom],
  ],
  [[top, bottom]],
  [[left, bottom]],
  [[left, right]],
  [[top, right]],
  [[left, top]],
  [],
];
