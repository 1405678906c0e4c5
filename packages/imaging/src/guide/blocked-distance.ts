import type { FieldGrid } from "../mesh/surface-net.ts";
import { spreadNearestPoints, type NearestPointField } from "./spread-nearest-points.ts";

/** Columns and rows of samples [from, to) of the whole field. */
export interface FieldBlock {
  columnFrom: number;
  columnTo: number;
  rowFrom: number;
  rowTo: number;
}

/**
 * Distances in mm from the scan with its undercuts blocked, for a block of whole columns, `[slice][row][column]` of the
 * block: negative below the scan. The blocked scan is the union of the scan moved by every length along −z; outside of
 * a union the distance is the least of its parts' distances, which is the running minimum down a column.
 * @param triangles nine numbers each, in the field's frame
 * @param heights the scan's height map over the field's columns and rows
 * @param reach mm up to which distances are exact; beyond it they are `reach` or more
 */
export function computeBlockedDistances(
  triangles: Float32Array,
  heights: Float32Array,
  grid: FieldGrid,
  block: FieldBlock,
  reach: number,
): Float32Array {
  const margin = Math.ceil(reach / grid.spacing);
  const field = createField(grid, block, margin);
  for (let at = 0; at < triangles.length; at += 9) drawTriangle(triangles, at, field);
  spreadNearestPoints(field, reach);
  return takeRunningMinimum(field, heights, grid, block, reach);
}

function createField(grid: FieldGrid, block: FieldBlock, margin: number): NearestPointField {
  const { spacing, origin, slices } = grid;
  const [columns, rows] = [block.columnTo - block.columnFrom + 2 * margin, block.rowTo - block.rowFrom + 2 * margin];
  const count = columns * rows * slices;
  return {
    columns,
    rows,
    slices,
    spacing,
    x: origin[0] + (block.columnFrom - margin) * spacing,
    y: origin[1] + (block.rowFrom - margin) * spacing,
    z: origin[2],
    squares: new Float32Array(count).fill(Infinity),
    nearest: new Float32Array(3 * count),
  };
}

/** Samples nearer to a triangle than this many steps get its exact distance. */
const exactSteps = 2.5;

function drawTriangle(p: Float32Array, at: number, field: NearestPointField): void {
  const { columns, rows, slices, spacing } = field;
  const wide = exactSteps * spacing;
  const range = (axis: number, from: number, count: number): [number, number] => {
    const [a, b, c] = [p[at + axis], p[at + 3 + axis], p[at + 6 + axis]];
    return [
      Math.max(0, Math.ceil((Math.min(a, b, c) - wide - from) / spacing)),
      Math.min(count - 1, Math.floor((Math.max(a, b, c) + wide - from) / spacing)),
    ];
  };
  const [x0, x1] = range(0, field.x, columns);
  const [y0, y1] = range(1, field.y, rows);
  const [z0, z1] = range(2, field.z, slices);
  if (x0 > x1 || y0 > y1 || z0 > z1) return;
  for (let k = z0; k <= z1; k++)
    for (let j = y0; j <= y1; j++)
      for (let i = x0; i <= x1; i++)
        offerTriangle(p, at, field, i + columns * (j + rows * k), [
          field.x + i * spacing,
          field.y + j * spacing,
          field.z + k * spacing,
        ]);
}

const found = new Float64Array(3);

function offerTriangle(
  p: Float32Array,
  at: number,
  { squares, nearest }: NearestPointField,
  place: number,
  [x, y, z]: readonly [number, number, number],
): void {
  findNearestOnTriangle(p, at, x, y, z);
  const square = (found[0] - x) ** 2 + (found[1] - y) ** 2 + (found[2] - z) ** 2;
  if (square >= squares[place]) return;
  squares[place] = square;
  nearest.set(found, 3 * place);
}

/** Writes the triangle's point nearest to a place into `found`. Source: C. Ericson, Real-Time Collision Detection, 5.1.5. */
function findNearestOnTriangle(p: Float32Array, at: number, x: number, y: number, z: number): void {
  const [ax, ay, az] = [p[at], p[at + 1], p[at + 2]];
  const [ux, uy, uz] = [p[at + 3] - ax, p[at + 4] - ay, p[at + 5] - az];
  const [vx, vy, vz] = [p[at + 6] - ax, p[at + 7] - ay, p[at + 8] - az];
  const [dx, dy, dz] = [x - ax, y - ay, z - az];
  const d1 = ux * dx + uy * dy + uz * dz;
  const d2 = vx * dx + vy * dy + vz * dz;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const [d3, d4, d5, d6] = [d1 - uu, d2 - uv, d1 - uv, d2 - vv];
  const vc = d1 * d4 - d3 * d2;
  const vb = d5 * d2 - d1 * d6;
  const va = d3 * d6 - d5 * d4;
  let [s, t] = [0, 0];
  if (d1 <= 0 && d2 <= 0) [s, t] = [0, 0];
  else if (d3 >= 0 && d4 <= d3) [s, t] = [1, 0];
  else if (d6 >= 0 && d5 <= d6) [s, t] = [0, 1];
  else if (vc <= 0 && d1 >= 0 && d3 <= 0) s = d1 / (d1 - d3);
  else if (vb <= 0 && d2 >= 0 && d6 <= 0) t = d2 / (d2 - d6);
  else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    t = (d4 - d3) / (d4 - d3 + (d5 - d6));
    s = 1 - t;
  } else {
    const all = va + vb + vc || 1;
    [s, t] = [vb / all, vc / all];
  }
  found[0] = ax + s * ux + t * vx;
  found[1] = ay + s * uy + t * vy;
  found[2] = az + s * uz + t * vz;
}

function takeRunningMinimum(
  field: NearestPointField,
  heights: Float32Array,
  grid: FieldGrid,
  block: FieldBlock,
  reach: number,
): Float32Array {
  const [columns, rows] = [block.columnTo - block.columnFrom, block.rowTo - block.rowFrom];
  const margin = (field.columns - columns) / 2;
  const out = new Float32Array(columns * rows * grid.slices);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const height = heights[(block.rowFrom + j) * grid.columns + block.columnFrom + i];
      let least = Infinity;
      for (let k = grid.slices - 1; k >= 0; k--) {
        const square = field.squares[i + margin + field.columns * (j + margin + field.rows * k)];
        const far = square < Infinity ? Math.sqrt(square) : reach;
        const isBelow = grid.origin[2] + k * grid.spacing < height;
        least = Math.min(least, isBelow ? -far : far);
        out[i + columns * (j + rows * k)] = least;
      }
    }
  return out;
}
