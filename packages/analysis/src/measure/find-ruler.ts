import {
  findBestRow,
  averageColumns,
  findPeriod,
  fitEvenSpacing,
  detrend,
  type DetrendedLine,
  type MarkRow,
} from "./evenly-spaced-marks.ts";
import { median, resampleByMean, type Grid } from "./pixel-grid.ts";
import { findLongerMarks } from "./longer-ruler-marks.ts";

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
interface Comb extends MarkRow {
  left: number;
  right: number;
  sign: 1 | -1;
  isVertical: boolean;
  weight: number;
}

/** The longer side of the examined image, in pixels; one more would double the time. */
const maxExaminedSide = 2600;

/** Finds the ruler in an image: null if there is none, or if there are two that contradict each other. */
export function findRuler(image: Grid): Ruler | null {
  const reduction = Math.ceil(Math.max(image.columns, image.rows) / maxExaminedSide);
  const grid = reduction === 1 ? image : shrinkByInteger(image, reduction);
  const uprightOrientation = { grid, isVertical: true };
  const lyingOrientation = { grid: transpose(grid), isVertical: false };
  const combs = [uprightOrientation, lyingOrientation].flatMap(({ grid: orientedGrid, isVertical }) =>
    findCombs(orientedGrid).map((comb) => ({ ...comb, isVertical })),
  );
  const [best, ...others] = combs.toSorted((a, b) => b.weight - a.weight);
  if (!best || others.some((other) => hasContradictingSpacing(other, best))) return null;
  const { grid: orientedGrid } = best.isVertical ? uprightOrientation : lyingOrientation;
  return {
    gap: best.gap * reduction,
    // The middle of the first pixel is at 0.5.
    marks: {
      column: ((best.left + best.right) / 2 + 0.5) * reduction,
      rows: best.marks.map((row) => (row + 0.5) * reduction),
    },
    isVertical: best.isVertical,
    longer: findLongerMarks(orientedGrid, best),
  };
}

/** Shrinks by a whole number: fractions of pixels would shift fine marks back and forth. */
function shrinkByInteger(image: Grid, reduction: number): Grid {
  const [columns, rows] = [Math.floor(image.columns / reduction), Math.floor(image.rows / reduction)];
  return resampleByMean(
    image,
    { left: 0, top: 0, right: columns * reduction, bottom: rows * reduction },
    columns,
    rows,
  );
}

/** Ratios of distances that occur side by side on rulers. */
const commonRatios = [1, 2, 2.5, 5, 10];

/**
 * Returns true if a second row of marks is nearly as good but has a distance that the same millimetres cannot explain.
 */
const hasContradictingSpacing = (other: Comb, best: Comb): boolean => {
  const ratio = Math.max(other.gap / best.gap, best.gap / other.gap);
  return other.weight > 0.6 * best.weight && commonRatios.every((candidate) => Math.abs(ratio / candidate - 1) > 0.02);
};

/** In blocks: walking down whole columns would leave the cache at each step. */
function transpose({ columns, rows, data }: Grid): Grid {
  const out = new Float32Array(data.length);
  const block = 32;
  for (let top = 0; top < rows; top += block)
    for (let left = 0; left < columns; left += block)
      for (let row = top; row < Math.min(rows, top + block); row++)
        for (let column = left; column < Math.min(columns, left + block); column++)
          out[column * rows + row] = data[row * columns + column];
  return { columns: rows, rows: columns, data: out };
}

const smoothingRadii = ({ columns, rows }: Grid): number[] =>
  [0, 1, 2].map((multiple) => Math.round((multiple * Math.max(columns, rows)) / 900));

interface Strip extends MarkRow {
  column: number;
  sign: 1 | -1;
}

function findCombs(grid: Grid): Omit<Comb, "isVertical">[] {
  const width = Math.max(1, Math.round(Math.max(grid.columns, grid.rows) / 900));
  const strips = findStrips(grid, width);
  return groupStrips(strips, width).flatMap((group) => buildComb(grid, group, width) ?? []);
}

function findStrips(grid: Grid, width: number): Strip[] {
  const radii = smoothingRadii(grid);
  const found: Strip[] = [];
  const lines = averageColumnLines(grid, width);
  for (let index = 1; index + 1 < lines.length; index++) {
    const detrended = detrend(lines[index]);
    for (const sign of [1, -1] as const) {
      const markRow = findBestRow(detrended, sign, radii);
      if (markRow) found.push({ ...markRow, column: index * width + (width >> 1), sign });
    }
  }
  return found;
}

/** The mean lines of this many columns each, read row by row as they are stored in memory. */
function averageColumnLines({ columns, rows, data }: Grid, width: number): Float32Array[] {
  const lines = Array.from({ length: Math.floor(columns / width) }, () => new Float32Array(rows));
  for (let row = 0; row < rows; row++)
    for (let line = 0, index = row * columns; line < lines.length; line++) {
      let sum = 0;
      const end = index + width;
      for (; index < end; index++) sum += data[index];
      lines[line][row] = sum / width;
    }
  return lines;
}

/** Groups adjacent strips with the same distance and marks on the same rows. */
function groupStrips(strips: readonly Strip[], width: number): Strip[][] {
  const groups: Strip[][] = [];
  for (const strip of strips) {
    const group = groups.find((candidate) => continuesGroup(candidate[candidate.length - 1], strip, width));
    if (group) group.push(strip);
    else groups.push([strip]);
  }
  return groups;
}

function continuesGroup(last: Strip, strip: Strip, width: number): boolean {
  if (strip.sign !== last.sign || strip.column - last.column > 3 * width) return false;
  if (Math.abs(strip.gap / last.gap - 1) > 0.02) return false;
  const nearestMark = last.marks.reduce((best, mark) =>
    Math.abs(mark - strip.marks[0]) < Math.abs(best - strip.marks[0]) ? mark : best,
  );
  const overlap =
    Math.min(strip.marks[strip.marks.length - 1], last.marks[last.marks.length - 1]) -
    Math.max(strip.marks[0], last.marks[0]);
  if (overlap < 2 * strip.gap) return false;
  const phase = (strip.marks[0] - nearestMark) / strip.gap;
  return Math.abs(phase - Math.round(phase)) < 0.15;
}

/** If it is wider than this share of the image, it is a grid or a pattern. */
const maxWidthShare = 0.12;

/** A line may be most similar to itself at a shift of long marks onto long marks. */
const plausibleMultiples = [1, 2, 5, 10];

/**
 * Returns the ruler that two independent readings agree on: the marks one by one, and the self-similarity of the line.
 */
function buildComb(grid: Grid, group: readonly Strip[], width: number): Omit<Comb, "isVertical"> | null {
  const maxMarks = Math.max(...group.map(({ marks }) => marks.length));
  const mainStrips = group.filter(({ marks }) => marks.length >= 0.7 * maxMarks);
  const [first, last] = [mainStrips[0], mainStrips[mainStrips.length - 1]];
  const columnSpread = last.column - first.column;
  if (mainStrips.length < 3 || columnSpread > maxWidthShare * Math.max(grid.columns, grid.rows)) return null;
  const [left, right] = [first.column - (width >> 1), last.column + (width >> 1)];
  const line = averageColumns(grid, left, right);
  const detrended = detrend(line);
  const row = findBestRow(detrended, first.sign, smoothingRadii(grid));
  if (!row || Math.abs(row.gap / median(mainStrips.map(({ gap }) => gap)) - 1) > 0.02) return null;
  const { marks } = row;
  const fromMarks = fitEvenSpacing(marks);
  if (fromMarks.rmsError > Math.max(0.03 * fromMarks.gap, 0.45)) return null;
  const half = fromMarks.gap / 2;
  const fromPeriod = findPeriod(detrended.residual, marks[0] - half, marks[marks.length - 1] + half);
  if (
    !fromPeriod ||
    !plausibleMultiples.some((multiple) => Math.abs(fromPeriod.gap / fromMarks.gap / multiple - 1) < 0.01)
  )
    return null;
  const fineDetrended = detrend(line, Math.max(3, Math.round(fromMarks.gap / 8)));
  const explainedShare = Math.max(
    ...[detrended, fineDetrended].map(({ residual }) => periodicVarianceShare(residual, marks, fromMarks.gap)),
  );
  if (
    !isConvincing(marks.length, explainedShare, markHeightOverNoise(fineDetrended, marks, first.sign)) ||
    isStepWedge(line, marks)
  )
    return null;
  const weight = marks.length * explainedShare * Math.sqrt(mainStrips.length);
  return { marks, gap: fromMarks.gap, left, right, sign: first.sign, weight };
}

/** Returns the share of the line's variance that repeats from mark to mark. */
function periodicVarianceShare(residual: Float32Array, marks: readonly number[], gap: number): number {
  const steps = Math.max(4, Math.min(40, Math.round(gap)));
  const [sums, counts] = [new Float64Array(steps), new Float64Array(steps)];
  let [total, squares, count] = [0, 0, 0];
  const from = Math.max(0, Math.ceil(marks[0] - gap / 2));
  const to = Math.min(residual.length - 1, Math.floor(marks[marks.length - 1] + gap / 2));
  for (let index = from; index <= to; index++) {
    const cycles = (index - marks[0]) / gap;
    const step = Math.min(steps - 1, Math.floor((cycles - Math.floor(cycles)) * steps));
    sums[step] += residual[index];
    counts[step]++;
    [total, squares, count] = [total + residual[index], squares + residual[index] ** 2, count + 1];
  }
  const mean = total / count;
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
const isConvincing = (count: number, explainedShare: number, sharpness: number): boolean =>
  count < 9 ? explainedShare > 0.65 && sharpness > 60 : explainedShare > 0.45 || sharpness > 7;

/**
 * Returns the height of the marks in a relief of structures finer than their spacing, in units of its noise; 0 if the
 * marks are unlike.
 */
function markHeightOverNoise({ residual, noise }: DetrendedLine, marks: readonly number[], sign: 1 | -1): number {
  const heights = marks.map((mark) => {
    const nearestMark = Math.round(mark);
    return Math.max(...[nearestMark - 1, nearestMark, nearestMark + 1].map((index) => sign * (residual[index] ?? 0)));
  });
  const typicalHeight = median(heights);
  const similarCount = heights.filter((height) => height > typicalHeight / 2 && height < 2 * typicalHeight).length;
  return similarCount >= 0.85 * heights.length ? typicalHeight / (noise || 1) : 0;
}

/**
 * A wedge of equal steps rises from one to the next; between a ruler's marks the image returns to its previous value.
 */
function isStepWedge(line: Float32Array, marks: readonly number[]): boolean {
  const valueAt = (position: number): number => line[Math.max(0, Math.min(line.length - 1, Math.round(position)))];
  const midValues = marks.slice(1).map((mark, index) => valueAt((mark + marks[index]) / 2));
  const midDifferences = midValues.slice(1).map((value, index) => value - midValues[index]);
  const heights = marks
    .slice(1, -1)
    .map((mark, index) => Math.abs(valueAt(mark) - (midValues[index] + midValues[index + 1]) / 2));
  return Math.abs(median(midDifferences)) > 0.4 * median(heights);
}
