import { bestRow, meanLine, periodOf, regressed, reliefOf, type Relief, type Row } from "./comb.ts";
import { median, shrunk, type Grid } from "./grid.ts";
import { longerMarks } from "./longer-marks.ts";

/** A ruler in the image, described by its marks, before the millimetres between them are known. */
export interface Ruler {
  /** Pixels between two marks. */
  gap: number;
  /** Marks of one column of the ruler, from the top. */
  marks: { column: number; rows: number[] };
  isVertical: boolean;
  /** The divisions of longer marks, the finer first: [5, 2] of millimetres means fives and tens. */
  longer: readonly number[];
}

/** Adjacent marks that agree, and their columns. */
interface Comb extends Row {
  left: number;
  right: number;
  sign: 1 | -1;
  isVertical: boolean;
  weight: number;
}

/** The longer side of the examined image, in pixels; one more would double the time. */
const longestSide = 2600;

/** Finds the ruler in an image: null if there is none, or if there are two that contradict each other. */
export function findRuler(picture: Grid): Ruler | null {
  const shrink = Math.ceil(Math.max(picture.columns, picture.rows) / longestSide);
  const grid = shrink === 1 ? picture : shrunkBy(picture, shrink);
  const upright = { grid, isVertical: true };
  const lying = { grid: transposed(grid), isVertical: false };
  const combs = [upright, lying].flatMap(({ grid: turned, isVertical }) =>
    combsOf(turned).map((comb) => ({ ...comb, isVertical })),
  );
  const [best, ...others] = combs.toSorted((a, b) => b.weight - a.weight);
  if (!best || others.some((other) => contradicts(other, best))) return null;
  const { grid: seen } = best.isVertical ? upright : lying;
  return {
    gap: best.gap * shrink,
    // The middle of the first pixel is at 0.5.
    marks: {
      column: ((best.left + best.right) / 2 + 0.5) * shrink,
      rows: best.marks.map((row) => (row + 0.5) * shrink),
    },
    isVertical: best.isVertical,
    longer: longerMarks(seen, best),
  };
}

/** Shrinks by a whole number: fractions of pixels would shift fine marks back and forth. */
function shrunkBy(picture: Grid, shrink: number): Grid {
  const [columns, rows] = [Math.floor(picture.columns / shrink), Math.floor(picture.rows / shrink)];
  return shrunk(picture, { left: 0, top: 0, right: columns * shrink, bottom: rows * shrink }, columns, rows);
}

/** Ratios of distances that occur side by side on rulers. */
const ratios = [1, 2, 2.5, 5, 10];

/**
 * Returns true if a second row of marks is nearly as good but has a distance that the same millimetres cannot explain.
 */
const contradicts = (other: Comb, best: Comb): boolean => {
  const ratio = Math.max(other.gap / best.gap, best.gap / other.gap);
  return other.weight > 0.6 * best.weight && ratios.every((one) => Math.abs(ratio / one - 1) > 0.02);
};

/** In blocks: walking down whole columns would leave the cache at each step. */
function transposed({ columns, rows, data }: Grid): Grid {
  const out = new Float32Array(data.length);
  const block = 32;
  for (let top = 0; top < rows; top += block)
    for (let left = 0; left < columns; left += block)
      for (let row = top; row < Math.min(rows, top + block); row++)
        for (let column = left; column < Math.min(columns, left + block); column++)
          out[column * rows + row] = data[row * columns + column];
  return { columns: rows, rows: columns, data: out };
}

const halvesOf = ({ columns, rows }: Grid): number[] =>
  [0, 1, 2].map((times) => Math.round((times * Math.max(columns, rows)) / 900));

interface Strip extends Row {
  column: number;
  sign: 1 | -1;
}

function combsOf(grid: Grid): Omit<Comb, "isVertical">[] {
  const width = Math.max(1, Math.round(Math.max(grid.columns, grid.rows) / 900));
  const strips = stripsOf(grid, width);
  return groupsOf(strips, width).flatMap((group) => combOf(grid, group, width) ?? []);
}

function stripsOf(grid: Grid, width: number): Strip[] {
  const halves = halvesOf(grid);
  const found: Strip[] = [];
  const lines = linesOf(grid, width);
  for (let at = 1; at + 1 < lines.length; at++) {
    const relief = reliefOf(lines[at]);
    for (const sign of [1, -1] as const) {
      const row = bestRow(relief, sign, halves);
      if (row) found.push({ ...row, column: at * width + (width >> 1), sign });
    }
  }
  return found;
}

/** The mean lines of this many columns each, read row by row as they are stored in memory. */
function linesOf({ columns, rows, data }: Grid, width: number): Float32Array[] {
  const lines = Array.from({ length: Math.floor(columns / width) }, () => new Float32Array(rows));
  for (let row = 0; row < rows; row++)
    for (let line = 0, at = row * columns; line < lines.length; line++) {
      let sum = 0;
      const end = at + width;
      for (; at < end; at++) sum += data[at];
      lines[line][row] = sum / width;
    }
  return lines;
}

/** Groups adjacent strips with the same distance and marks on the same rows. */
function groupsOf(strips: readonly Strip[], width: number): Strip[][] {
  const groups: Strip[][] = [];
  for (const strip of strips) {
    const group = groups.find((one) => isBeside(one[one.length - 1], strip, width));
    if (group) group.push(strip);
    else groups.push([strip]);
  }
  return groups;
}

function isBeside(last: Strip, strip: Strip, width: number): boolean {
  if (strip.sign !== last.sign || strip.column - last.column > 3 * width) return false;
  if (Math.abs(strip.gap / last.gap - 1) > 0.02) return false;
  const near = last.marks.reduce((best, at) =>
    Math.abs(at - strip.marks[0]) < Math.abs(best - strip.marks[0]) ? at : best,
  );
  const overlap =
    Math.min(strip.marks[strip.marks.length - 1], last.marks[last.marks.length - 1]) -
    Math.max(strip.marks[0], last.marks[0]);
  if (overlap < 2 * strip.gap) return false;
  const off = (strip.marks[0] - near) / strip.gap;
  return Math.abs(off - Math.round(off)) < 0.15;
}

/** If it is wider than this share of the image, it is a grid or a pattern. */
const widest = 0.12;

/** A line may be most similar to itself at a shift of long marks onto long marks. */
const repeats = [1, 2, 5, 10];

/**
 * Returns the ruler that two independent readings agree on: the marks one by one, and the self-similarity of the line.
 */
function combOf(grid: Grid, group: readonly Strip[], width: number): Omit<Comb, "isVertical"> | null {
  const long = Math.max(...group.map(({ marks }) => marks.length));
  const core = group.filter(({ marks }) => marks.length >= 0.7 * long);
  const [first, last] = [core[0], core[core.length - 1]];
  const spread = last.column - first.column;
  if (core.length < 3 || spread > widest * Math.max(grid.columns, grid.rows)) return null;
  const [left, right] = [first.column - (width >> 1), last.column + (width >> 1)];
  const line = meanLine(grid, left, right);
  const relief = reliefOf(line);
  const row = bestRow(relief, first.sign, halvesOf(grid));
  if (!row || Math.abs(row.gap / median(core.map(({ gap }) => gap)) - 1) > 0.02) return null;
  const { marks } = row;
  const byMarks = regressed(marks);
  if (byMarks.miss > Math.max(0.03 * byMarks.gap, 0.45)) return null;
  const half = byMarks.gap / 2;
  const byLikeness = periodOf(relief.over, marks[0] - half, marks[marks.length - 1] + half);
  if (!byLikeness || !repeats.some((times) => Math.abs(byLikeness.gap / byMarks.gap / times - 1) < 0.01)) return null;
  const fine = reliefOf(line, Math.max(3, Math.round(byMarks.gap / 8)));
  const told = Math.max(...[relief, fine].map(({ over }) => foldedShare(over, marks, byMarks.gap)));
  if (!isClear(marks.length, told, standing(fine, marks, first.sign)) || isStairs(line, marks)) return null;
  const weight = marks.length * told * Math.sqrt(core.length);
  return { marks, gap: byMarks.gap, left, right, sign: first.sign, weight };
}

/** Returns the share of the line's variance that repeats from mark to mark. */
function foldedShare(over: Float32Array, marks: readonly number[], gap: number): number {
  const steps = Math.max(4, Math.min(40, Math.round(gap)));
  const [sums, counts] = [new Float64Array(steps), new Float64Array(steps)];
  let [all, squares, count] = [0, 0, 0];
  const from = Math.max(0, Math.ceil(marks[0] - gap / 2));
  const to = Math.min(over.length - 1, Math.floor(marks[marks.length - 1] + gap / 2));
  for (let at = from; at <= to; at++) {
    const turn = (at - marks[0]) / gap;
    const step = Math.min(steps - 1, Math.floor((turn - Math.floor(turn)) * steps));
    sums[step] += over[at];
    counts[step]++;
    [all, squares, count] = [all + over[at], squares + over[at] ** 2, count + 1];
  }
  const mean = all / count;
  const folded = sums.reduce(
    (sum, value, step) => sum + (counts[step] ? counts[step] * (value / counts[step] - mean) ** 2 : 0),
    0,
  );
  return folded / (squares - count * mean * mean || 1);
}

/**
 * Few marks may be the edges of vertebrae: they must be sharp as well. With many fine marks far apart, most of the line
 * is grain.
 */
const isClear = (count: number, told: number, sharp: number): boolean =>
  count < 9 ? told > 0.65 && sharp > 60 : told > 0.45 || sharp > 7;

/**
 * Returns the height of the marks in a relief of structures finer than their spacing, in units of its noise; 0 if the
 * marks are unlike.
 */
function standing({ over, noise }: Relief, marks: readonly number[], sign: 1 | -1): number {
  const heights = marks.map((mark) => {
    const near = Math.round(mark);
    return Math.max(...[near - 1, near, near + 1].map((at) => sign * (over[at] ?? 0)));
  });
  const usual = median(heights);
  const alike = heights.filter((high) => high > usual / 2 && high < 2 * usual).length;
  return alike >= 0.85 * heights.length ? usual / (noise || 1) : 0;
}

/**
 * A wedge of equal steps rises from one to the next; between a ruler's marks the image returns to its previous value.
 */
function isStairs(line: Float32Array, marks: readonly number[]): boolean {
  const at = (place: number): number => line[Math.max(0, Math.min(line.length - 1, Math.round(place)))];
  const between = marks.slice(1).map((mark, index) => at((mark + marks[index]) / 2));
  const rises = between.slice(1).map((value, index) => value - between[index]);
  const heights = marks
    .slice(1, -1)
    .map((mark, index) => Math.abs(at(mark) - (between[index] + between[index + 1]) / 2));
  return Math.abs(median(rises)) > 0.4 * median(heights);
}
