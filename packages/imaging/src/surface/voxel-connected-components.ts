/**
 * The connected bodies of voxels at or above a threshold (faces touch), found from slices that come one after another:
 * runs along the rows, joined where they are side by side.
 */
export class ConnectedComponents {
  private readonly columns: number;
  private readonly rows: number;
  private readonly threshold: number;
  private starts = new Int32Array(1024);
  private ends = new Int32Array(1024);
  private parentRuns = new Int32Array(1024);
  private count = 0;
  /** The first run of each row, over all slices. */
  private readonly rowStarts: number[] = [0];

  constructor(columns: number, rows: number, threshold: number) {
    this.columns = columns;
    this.rows = rows;
    this.threshold = threshold;
  }

  addSlice(values: Int16Array): void {
    for (let row = 0; row < this.rows; row++) {
      const first = this.count;
      this.addRuns(values, row * this.columns);
      const line = this.rowStarts.length - 1;
      this.rowStarts.push(this.count);
      if (row > 0) this.joinRows(line - 1, first);
      if (line >= this.rows) this.joinRows(line - this.rows, first);
    }
  }

  /** The body with the most voxels; −1 where there is none. */
  findLargest(): number {
    const sizes = new Float64Array(this.count);
    let best = -1;
    for (let run = 0; run < this.count; run++) {
      const body = this.findRoot(run);
      sizes[body] += this.ends[run] - this.starts[run];
      if (best < 0 || sizes[body] > sizes[best]) best = body;
    }
    return best;
  }

  /** 1 for each voxel of a slice that belongs to the body. */
  getSliceMask(slice: number, body: number): Uint8Array {
    const mask = new Uint8Array(this.columns * this.rows);
    for (let row = 0; row < this.rows; row++) {
      const line = slice * this.rows + row;
      for (let run = this.rowStarts[line]; run < this.rowStarts[line + 1]; run++)
        if (this.findRoot(run) === body)
          mask.fill(1, row * this.columns + this.starts[run], row * this.columns + this.ends[run]);
    }
    return mask;
  }

  private addRuns(values: Int16Array, from: number): void {
    for (let column = 0; column < this.columns; column++) {
      if (values[from + column] < this.threshold) continue;
      const start = column;
      while (column < this.columns && values[from + column] >= this.threshold) column++;
      this.pushRun(start, column);
    }
  }

  private joinRows(line: number, first: number): void {
    let other = this.rowStarts[line];
    const last = this.rowStarts[line + 1];
    for (let run = first; run < this.count; run++) {
      while (other < last && this.ends[other] <= this.starts[run]) other++;
      for (let at = other; at < last && this.starts[at] < this.ends[run]; at++) this.joinRuns(at, run);
    }
  }

  private joinRuns(one: number, other: number): void {
    const [a, b] = [this.findRoot(one), this.findRoot(other)];
    if (a !== b) this.parentRuns[Math.max(a, b)] = Math.min(a, b);
  }

  private findRoot(run: number): number {
    let root = run;
    while (this.parentRuns[root] !== root) {
      this.parentRuns[root] = this.parentRuns[this.parentRuns[root]];
      root = this.parentRuns[root];
    }
    return root;
  }

  private pushRun(start: number, end: number): void {
    if (this.count === this.starts.length) {
      const larger = (old: Int32Array<ArrayBuffer>) => {
        const grown = new Int32Array(2 * old.length);
        grown.set(old);
        return grown;
      };
      [this.starts, this.ends, this.parentRuns] = [larger(this.starts), larger(this.ends), larger(this.parentRuns)];
    }
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.parentRuns[this.count] = this.count;
    this.count++;
  }
}
