import { GrowingFloats, GrowingIndices } from "../mesh/growing.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { voxelToPatient } from "../volume/space.ts";
import type { VolumeGeometry } from "../view/volume-geometry.ts";

/** The value outside of the grid. The surface beside it is at the outer edge of the last voxel. */
const nothing = -Infinity;

/**
 * The closed surface of all voxels at or above a threshold, in patient mm (LPS), facing outwards; slices come one after
 * another, so that a volume of any size needs the memory of two. Where matter continues beyond the grid the surface is
 * closed at its edge. Naive surface nets (S. Gibson 1998): one vertex for each cell, at the mean of its edges'
 * crossings.
 */
export class IsoSurface {
  private readonly grid: VolumeGeometry;
  private readonly threshold: number;
  /** With a border of nothing around each slice. */
  private readonly wide: number;
  private readonly high: number;
  private before: Float64Array;
  private here: Float64Array;
  private cellsBefore: Int32Array;
  private cells: Int32Array;
  private slice = -1;
  private readonly places = new GrowingFloats();
  private readonly triangles = new GrowingIndices();

  constructor(grid: VolumeGeometry, threshold: number) {
    this.grid = grid;
    this.threshold = threshold;
    [this.wide, this.high] = [grid.columns + 2, grid.rows + 2];
    const size = this.wide * this.high;
    [this.before, this.here] = [new Float64Array(size).fill(nothing), new Float64Array(size).fill(nothing)];
    [this.cellsBefore, this.cells] = [new Int32Array(size).fill(-1), new Int32Array(size).fill(-1)];
  }

  /** `values[row][column]`; where `isOwn` is given only voxels with 1 in it belong to the body. */
  addSlice(values: Int16Array, isOwn?: Uint8Array): void {
    const { columns, rows } = this.grid;
    this.turnOver();
    for (let row = 0, from = 0; row < rows; row++) {
      let to = (row + 1) * this.wide + 1;
      for (let column = 0; column < columns; column++, from++, to++) {
        const above = values[from] - this.threshold;
        // A voxel of another body is outside; the surface never passes between it and this one's neighbours.
        this.here[to] = above >= 0 && isOwn && isOwn[from] === 0 ? -1 : above >= 0 ? above + 1e-6 : above;
      }
    }
    this.join();
  }

  finish(): Mesh {
    this.turnOver();
    this.join();
    return { positions: this.places.taken(), indices: this.triangles.taken(), colours: null };
  }

  private turnOver(): void {
    [this.before, this.here] = [this.here, this.before];
    [this.cellsBefore, this.cells] = [this.cells, this.cellsBefore];
    this.here.fill(nothing);
    this.cells.fill(-1);
    this.slice++;
  }

  /** The cells between the last two slices, and the squares around the edges that are now complete. */
  private join(): void {
    const { wide, high, before, here } = this;
    for (let row = 0; row + 1 < high; row++)
      for (let column = 0; column + 1 < wide; column++) {
        const at = row * wide + column;
        const count =
          Number(before[at] >= 0) +
          Number(before[at + 1] >= 0) +
          Number(before[at + wide] >= 0) +
          Number(before[at + wide + 1] >= 0) +
          Number(here[at] >= 0) +
          Number(here[at + 1] >= 0) +
          Number(here[at + wide] >= 0) +
          Number(here[at + wide + 1] >= 0);
        if (count > 0 && count < 8) this.addVertex(row, column, at);
      }
    for (let row = 1; row + 1 < high; row++)
      for (let column = 1; column + 1 < wide; column++) this.addSquares(row * wide + column);
  }

  private addSquares(at: number): void {
    const { wide, before, here, cells, cellsBefore } = this;
    const isIn = before[at] >= 0;
    if (isIn !== here[at] >= 0) this.square(cells[at - wide - 1], cells[at - wide], cells[at], cells[at - 1], isIn);
    if (isIn !== before[at + 1] >= 0)
      this.square(cellsBefore[at - wide], cellsBefore[at], cells[at], cells[at - wide], isIn);
    if (isIn !== before[at + wide] >= 0)
      this.square(cellsBefore[at - 1], cells[at - 1], cells[at], cellsBefore[at], isIn);
    // Edges to the border before the first row and column.
    if (at % wide === 1 && isIn)
      this.square(cellsBefore[at - wide - 1], cellsBefore[at - 1], cells[at - 1], cells[at - wide - 1], false);
    if (at < 2 * wide && isIn)
      this.square(cellsBefore[at - wide - 1], cells[at - wide - 1], cells[at - wide], cellsBefore[at - wide], false);
  }

  private square(a: number, b: number, c: number, d: number, outwards: boolean): void {
    if (outwards) {
      this.triangles.push3(a, b, c);
      this.triangles.push3(a, c, d);
    } else {
      this.triangles.push3(a, c, b);
      this.triangles.push3(a, d, c);
    }
  }

  private addVertex(row: number, column: number, at: number): void {
    const { wide, before, here } = this;
    let [x, y, z, count] = [0, 0, 0, 0];
    const cross = (one: number, other: number, ox: number, oy: number, oz: number, axis: 0 | 1 | 2) => {
      if (one >= 0 === other >= 0) return;
      const t = one === nothing || other === nothing ? 0.5 : one / (one - other);
      x += ox + (axis === 0 ? t : 0);
      y += oy + (axis === 1 ? t : 0);
      z += oz + (axis === 2 ? t : 0);
      count++;
    };
    for (const [values, oz] of [
      [before, 0],
      [here, 1],
    ] as const) {
      cross(values[at], values[at + 1], 0, 0, oz, 0);
      cross(values[at + wide], values[at + wide + 1], 0, 1, oz, 0);
      cross(values[at], values[at + wide], 0, 0, oz, 1);
      cross(values[at + 1], values[at + wide + 1], 1, 0, oz, 1);
    }
    for (let corner = 0; corner < 4; corner++) {
      const [ox, oy] = [corner & 1, corner >> 1];
      cross(before[at + ox + wide * oy], here[at + ox + wide * oy], ox, oy, 0, 2);
    }
    this.cells[at] = this.places.length / 3;
    this.places.push3(
      ...voxelToPatient(this.grid, [column - 1 + x / count, row - 1 + y / count, this.slice - 1 + z / count]),
    );
  }
}
