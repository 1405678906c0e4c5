import type { Mesh, Point } from "./mesh.ts";

/** Samples `values[slice][row][column]` on a grid: x with the column, y with the row, z with the slice, in mm. */
export type FieldGrid = { columns: number; rows: number; slices: number; spacing: number; origin: Point };

/**
 * Builds the surface where the values cross zero, triangles facing from the negative to the positive side (naive
 * surface nets, S. Gibson 1998: one vertex for each cell, at the mean of its edges' crossings). The surface is left
 * open at the grid's ends and next to samples that are NaN.
 */
export function extractSurfaceNet(values: Float32Array, grid: FieldGrid): Mesh {
  const cells = new Int32Array(values.length).fill(-1);
  const positions = createVertices(values, grid, cells);
  const indices = createTriangles(values, grid, cells);
  return { positions, indices, colours: null };
}

const cellCorners: readonly Point[] = [0, 1, 2, 3, 4, 5, 6, 7].map((i): Point => [i & 1, (i >> 1) & 1, i >> 2]);
const cellEdges = [
  [0, 1],
  [2, 3],
  [4, 5],
  [6, 7],
  [0, 2],
  [1, 3],
  [4, 6],
  [5, 7],
  [0, 4],
  [1, 5],
  [2, 6],
  [3, 7],
] as const;

function createVertices(values: Float32Array, grid: FieldGrid, cells: Int32Array): Float32Array {
  const { columns, rows, slices, spacing, origin } = grid;
  const offsets = cellCorners.map(([i, j, k]) => i + columns * (j + rows * k));
  const found: number[] = [];
  for (let k = 0; k + 1 < slices; k++) {
    for (let j = 0; j + 1 < rows; j++) {
      for (let i = 0; i + 1 < columns; i++) {
        const at = i + columns * (j + rows * k);
        const middle = findMeanCrossing(values, at, offsets);
        if (!middle) continue;
        cells[at] = found.length / 3;
        found.push(
          origin[0] + (i + middle[0]) * spacing,
          origin[1] + (j + middle[1]) * spacing,
          origin[2] + (k + middle[2]) * spacing,
        );
      }
    }
  }
  return Float32Array.from(found);
}

/** Mean of the crossings on a cell's edges, in parts of the cell; null for a cell on one side. */
function findMeanCrossing(
  values: Float32Array,
  at: number,
  offsets: readonly number[],
): [number, number, number] | null {
  let inside = 0;
  for (const offset of offsets) {
    const value = values[at + offset];
    if (Number.isNaN(value)) return null;
    if (value < 0) inside++;
  }
  if (inside === 0 || inside === 8) return null;
  const sum: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (const [a, b] of cellEdges) {
    const [va, vb] = [values[at + offsets[a]], values[at + offsets[b]]];
    if (va < 0 === vb < 0) continue;
    const t = va / (va - vb);
    for (let axis = 0; axis < 3; axis++)
      sum[axis] += cellCorners[a][axis] + t * (cellCorners[b][axis] - cellCorners[a][axis]);
    count++;
  }
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}

/** Every edge that crosses the surface is the middle of a square made of the four cells around it. */
function createTriangles(values: Float32Array, grid: FieldGrid, cells: Int32Array): Uint32Array {
  const { columns, rows, slices } = grid;
  const strides = [1, columns, columns * rows];
  const indices: number[] = [];
  for (let k = 1; k + 1 < slices; k++) {
    for (let j = 1; j + 1 < rows; j++) {
      for (let i = 1; i + 1 < columns; i++) {
        const at = i + columns * (j + rows * k);
        const here = values[at] < 0;
        for (let axis = 0; axis < 3; axis++) {
          if (values[at + strides[axis]] < 0 === here) continue;
          addSquare(cells, at, strides[(axis + 1) % 3], strides[(axis + 2) % 3], here, indices);
        }
      }
    }
  }
  return Uint32Array.from(indices);
}

function addSquare(cells: Int32Array, at: number, u: number, v: number, outwards: boolean, indices: number[]): void {
  const [a, b, c, d] = [cells[at - u - v], cells[at - v], cells[at], cells[at - u]];
  if (a < 0 || b < 0 || c < 0 || d < 0) return;
  if (outwards) indices.push(a, b, c, a, c, d);
  else indices.push(a, c, b, a, d, c);
}
