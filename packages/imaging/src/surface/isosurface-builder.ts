import { GrowableFloatArray, GrowableIndexArray } from "../mesh/growable-array.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { voxelToPatient } from "../volume/voxel-to-patient.ts";
import type { VolumeGeometry } from "../volume/volume-geometry.ts";

/** The value outside of the grid. The surface there is at the outer edge of the last voxel. */
const outsideValue = -Infinity;

/**
 * The closed surface of all voxels at or above a threshold, in patient mm (LPS), facing outwards; slices come one after
 * another, so that a volume of any size needs the memory of two. Where matter continues beyond the grid the surface is
 * closed at its edge. Naive surface nets (S. Gibson 1998): one vertex for each cell, at the mean of its edges'
 * crossings.
 */
export class IsosurfaceBuilder {
  private readonly grid: VolumeGeometry;
  private readonly threshold: number;
  /** With a border of nothing around each slice. */
  private readonly paddedColumns: number;
  private readonly paddedRows: number;
  private previousSlice: Float64Array;
  private currentSlice: Float64Array;
  private previousCells: Int32Array;
  private cells: Int32Array;
  private slice = -1;
  private readonly positions = new GrowableFloatArray();
  private readonly triangles = new GrowableIndexArray();

  constructor(grid: VolumeGeometry, threshold: number) {
    this.grid = grid;
    this.threshold = threshold;
    [this.paddedColumns, this.paddedRows] = [grid.columns + 2, grid.rows + 2];
    const size = this.paddedColumns * this.paddedRows;
    [this.previousSlice, this.currentSlice] = [
      new Float64Array(size).fill(outsideValue),
      new Float64Array(size).fill(outsideValue),
    ];
    [this.previousCells, this.cells] = [new Int32Array(size).fill(-1), new Int32Array(size).fill(-1)];
  }

  /** `values[row][column]`; where `isOwn` is given only voxels with 1 in it belong to the body. */
  addSlice(values: Int16Array, bodyMask?: Uint8Array): void {
    const { columns, rows } = this.grid;
    this.advanceSlice();
    for (let row = 0, from = 0; row < rows; row++) {
      let to = (row + 1) * this.paddedColumns + 1;
      for (let column = 0; column < columns; column++, from++, to++) {
        const above = values[from] - this.threshold;
        // A voxel of another body is outside; the surface never passes between it and this one's neighbours.
        this.currentSlice[to] = above >= 0 && bodyMask && bodyMask[from] === 0 ? -1 : above >= 0 ? above + 1e-6 : above;
      }
    }
    this.addCells();
  }

  finish(): Mesh {
    this.advanceSlice();
    this.addCells();
    return { positions: this.positions.toArray(), indices: this.triangles.toArray(), colours: null };
  }

  private advanceSlice(): void {
    [this.previousSlice, this.currentSlice] = [this.currentSlice, this.previousSlice];
    [this.previousCells, this.cells] = [this.cells, this.previousCells];
    this.currentSlice.fill(outsideValue);
    this.cells.fill(-1);
    this.slice++;
  }

  /** The cells between the last two slices, and the squares around the edges that are now complete. */
  private addCells(): void {
    const { paddedColumns, paddedRows, previousSlice, currentSlice } = this;
    for (let row = 0; row + 1 < paddedRows; row++)
      for (let column = 0; column + 1 < paddedColumns; column++) {
        const at = row * paddedColumns + column;
        const count =
          Number(previousSlice[at] >= 0) +
          Number(previousSlice[at + 1] >= 0) +
          Number(previousSlice[at + paddedColumns] >= 0) +
          Number(previousSlice[at + paddedColumns + 1] >= 0) +
          Number(currentSlice[at] >= 0) +
          Number(currentSlice[at + 1] >= 0) +
          Number(currentSlice[at + paddedColumns] >= 0) +
          Number(currentSlice[at + paddedColumns + 1] >= 0);
        if (count > 0 && count < 8) this.addVertex(row, column, at);
      }
    for (let row = 1; row + 1 < paddedRows; row++)
      for (let column = 1; column + 1 < paddedColumns; column++) this.addSquares(row * paddedColumns + column);
  }

  private addSquares(at: number): void {
    const { paddedColumns, previousSlice, currentSlice, cells, previousCells } = this;
    const isIn = previousSlice[at] >= 0;
    if (isIn !== currentSlice[at] >= 0)
      this.addSquare(cells[at - paddedColumns - 1], cells[at - paddedColumns], cells[at], cells[at - 1], isIn);
    if (isIn !== previousSlice[at + 1] >= 0)
      this.addSquare(previousCells[at - paddedColumns], previousCells[at], cells[at], cells[at - paddedColumns], isIn);
    if (isIn !== previousSlice[at + paddedColumns] >= 0)
      this.addSquare(previousCells[at - 1], cells[at - 1], cells[at], previousCells[at], isIn);
    // Edges to the border before the first row and column.
    if (at % paddedColumns === 1 && isIn)
      this.addSquare(
        previousCells[at - paddedColumns - 1],
        previousCells[at - 1],
        cells[at - 1],
        cells[at - paddedColumns - 1],
        false,
      );
    if (at < 2 * paddedColumns && isIn)
      this.addSquare(
        previousCells[at - paddedColumns - 1],
        cells[at - paddedColumns - 1],
        cells[at - paddedColumns],
        previousCells[at - paddedColumns],
        false,
      );
  }

  private addSquare(a: number, b: number, c: number, d: number, outwards: boolean): void {
    if (outwards) {
      this.triangles.push3(a, b, c);
      this.triangles.push3(a, c, d);
    } else {
      this.triangles.push3(a, c, b);
      this.triangles.push3(a, d, c);
    }
  }

  private addVertex(row: number, column: number, at: number): void {
    const { paddedColumns, previousSlice, currentSlice } = this;
    let [x, y, z, count] = [0, 0, 0, 0];
    const cross = (one: number, other: number, ox: number, oy: number, oz: number, axis: 0 | 1 | 2) => {
      if (one >= 0 === other >= 0) return;
      const t = one === outsideValue || other === outsideValue ? 0.5 : one / (one - other);
      x += ox + (axis === 0 ? t : 0);
      y += oy + (axis === 1 ? t : 0);
      z += oz + (axis === 2 ? t : 0);
      count++;
    };
    for (const [values, oz] of [
      [previousSlice, 0],
      [currentSlice, 1],
    ] as const) {
      cross(values[at], values[at + 1], 0, 0, oz, 0);
      cross(values[at + paddedColumns], values[at + paddedColumns + 1], 0, 1, oz, 0);
      cross(values[at], values[at + paddedColumns], 0, 0, oz, 1);
      cross(values[at + 1], values[at + paddedColumns + 1], 1, 0, oz, 1);
    }
    for (let corner = 0; corner < 4; corner++) {
      const [ox, oy] = [corner & 1, corner >> 1];
      cross(previousSlice[at + ox + paddedColumns * oy], currentSlice[at + ox + paddedColumns * oy], ox, oy, 0, 2);
    }
    this.cells[at] = this.positions.length / 3;
    this.positions.push3(
      ...voxelToPatient(this.grid, [column - 1 + x / count, row - 1 + y / count, this.slice - 1 + z / count]),
    );
  }
}
