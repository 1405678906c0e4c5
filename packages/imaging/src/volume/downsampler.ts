import type { GreyData } from "../image/voi-window.ts";

/** Means of boxes of `factor`³ values, of fewer at the far edges, out of slices that come one after another. */
export class Downsampler {
  readonly columns: number;
  readonly rows: number;
  #given: { columns: number; rows: number };
  #factor: number;
  // A box of 32³ values of 16 bits, signed or not, still fits.
  #sums: Int32Array;
  #depth = 0;
  #bands: Int32Array[] = [];

  constructor(source: { columns: number; rows: number }, factor: number) {
    this.#given = source;
    this.#factor = factor;
    this.columns = Math.ceil(source.columns / factor);
    this.rows = Math.ceil(source.rows / factor);
    this.#sums = new Int32Array(this.columns * this.rows);
  }

  add(slice: GreyData): void {
    addBoxes(slice, this.#given.columns, this.#factor, this.#sums);
    if (++this.#depth === this.#factor) this.#endBand();
  }

  /** `[slice][row][column]`, each value less `offset`. */
  finish(offset = 0): { slices: number; data: Int16Array } {
    if (this.#depth > 0) this.#endBand();
    const size = this.columns * this.rows;
    const data = new Int16Array(size * this.#bands.length);
    this.#bands.forEach((band, slice) => {
      for (let at = 0; at < size; at++) data[slice * size + at] = band[at] - offset;
    });
    return { slices: this.#bands.length, data };
  }

  #endBand(): void {
    const band = new Int32Array(this.#sums.length);
    for (let row = 0; row < this.rows; row++) {
      const boxRows = Math.min(this.#factor, this.#given.rows - row * this.#factor);
      for (let column = 0; column < this.columns; column++) {
        const boxColumns = Math.min(this.#factor, this.#given.columns - column * this.#factor);
        const at = row * this.columns + column;
        band[at] = Math.round(this.#sums[at] / (this.#depth * boxRows * boxColumns));
      }
    }
    this.#bands.push(band);
    this.#sums.fill(0);
    this.#depth = 0;
  }
}

function addBoxes(slice: GreyData, columns: number, factor: number, sums: Int32Array): void {
  const coarse = Math.ceil(columns / factor);
  const rows = slice.length / columns;
  for (let row = 0, from = 0; row < rows; row++) {
    let into = Math.floor(row / factor) * coarse;
    const end = from + columns;
    if (factor === 4)
      for (; from + 4 <= end; from += 4, into++)
        sums[into] += slice[from] + slice[from + 1] + slice[from + 2] + slice[from + 3];
    while (from < end) {
      let sum = 0;
      for (const box = Math.min(from + factor, end); from < box; from++) sum += slice[from];
      sums[into++] += sum;
    }
  }
}
