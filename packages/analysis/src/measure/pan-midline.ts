import { boxed, newGrid, type Grid } from "./grid.ts";
import { heightAt, type Parabola } from "./pan-fit.ts";

export interface Midline {
  /** Where it crosses the line between the teeth, in columns of the picture. */
  column: number;
  /** How alike the sides are there, at most 1, and at the next best place that is not beside it. */
  likeness: number;
  rival: number;
}

/** The line about which both sides of a locally normalised picture are most alike, sought in a strip along the line between the teeth. */
export function midlineOf(flat: Grid, fit: Parabola): Midline {
  const strip = boxed(stripAlong(flat, fit), 2, 2);
  const { columns } = strip;
  const least = Math.round(columns * (0.5 - searched));
  const likes = Array.from({ length: columns - 2 * least }, (_, at) => likeness(strip, least + at));
  const best = likes.indexOf(Math.max(...likes));
  const apart = Math.round(0.03 * columns);
  const rival = Math.max(-1, ...likes.filter((_, at) => Math.abs(at - best) > apart));
  return { column: (least + best + peakShift(likes, best)) * coarse, likeness: likes[best], rival };
}

/** Shares of the width: how far from the middle it may lie, how much of each side is compared, how high the strip is on either side. */
const searched = 0.1;
const side = 0.24;
const high = 0.12;
const coarse = 2;
/** In deviations: a crown of metal or a lost tooth, on one side alone, is no more unlike the other side than a tooth is unlike its neighbour. */
const farthest = 1;

/** A level strip out of what lies along the parabola, columns square to it, each value for `coarse` pixels. */
function stripAlong({ columns, rows, data }: Grid, fit: Parabola): Grid {
  const half = Math.round((high * columns) / coarse);
  const strip = newGrid(Math.floor(columns / coarse), 2 * half + 1);
  for (let row = 0; row < strip.rows; row++) {
    const off = (row - half) * coarse;
    for (let column = 0; column < strip.columns; column++) {
      const along = (column + 0.5) * coarse - columns / 2;
      const x = Math.round(along - off * fit.slope + columns / 2 - 0.5);
      const y = Math.round(heightAt(fit, along) + off - 0.5);
      const inside = x >= 0 && x < columns && y >= 0 && y < rows;
      strip.data[row * strip.columns + column] = inside
        ? Math.max(-farthest, Math.min(farthest, data[y * columns + x]))
        : 0;
    }
  }
  return strip;
}

/** Correlation of the right side with the left, mirrored at the edge before `middle`. */
function likeness({ columns, rows, data }: Grid, middle: number): number {
  const reach = Math.min(Math.round(side * columns), middle, columns - middle);
  let [n, a, b, aa, bb, ab] = [0, 0, 0, 0, 0, 0];
  for (let row = 0; row < rows; row++)
    for (let off = 0; off < reach; off++) {
      const right = data[row * columns + middle + off];
      const left = data[row * columns + middle - 1 - off];
      n++;
      a += right;
      b += left;
      aa += right * right;
      bb += left * left;
      ab += right * left;
    }
  const spread = Math.sqrt((aa - (a * a) / n) * (bb - (b * b) / n));
  return spread > 0 ? (ab - (a * b) / n) / spread : 0;
}

/** Where between samples the top of a parabola through three of them lies. */
function peakShift(values: readonly number[], at: number): number {
  const [before, top, after] = [values[at - 1], values[at], values[at + 1]];
  const bend = before - 2 * top + after;
  return Number.isFinite(bend) && bend < 0 ? (before - after) / (2 * bend) : 0;
}
