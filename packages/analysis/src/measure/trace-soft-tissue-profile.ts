import { methodStudyText } from "@arcada/contract/analysis/method-evaluation-set";
import type { EngineImage } from "../engine.ts";
import { boxBlur, newGrid, percentiles, resampleByMean, type Grid } from "./pixel-grid.ts";
import { createAbstention, createObservation, type MeasurementResult } from "./measurement-result.ts";

/** Measures the outline of the soft tissue in front of an upright face in profile. */
export function measureProfile(picture: EngineImage): MeasurementResult {
  const rows = Math.round((workColumns * picture.rows) / picture.columns);
  if (picture.columns < workColumns || rows < 0.8 * workColumns || rows > 1.8 * workColumns)
    return abstainFromProfile("outOfRange", "the picture's shape is not a cephalogram's");
  const fullImage: Grid = { columns: picture.columns, rows: picture.rows, data: picture.samples };
  const grid = resampleByMean(
    fullImage,
    { left: 0, top: 0, right: fullImage.columns, bottom: fullImage.rows },
    workColumns,
    rows,
  );
  const profile = traceProfile(grid);
  if (typeof profile === "string") return abstainFromProfile("selfCheckFailed", profile);
  const scale = picture.columns / workColumns;
  const points = profile.map(([x, y]): [number, number] => [x * scale, y * scale]);
  return {
    observations: [
      createObservation("CEPH_PROFILE", null, {
        geometry: { kind: "line", points },
        confidence: { basis: "error", plusMinus: 2, unit: "mm", set: methodStudyText("lateralCeph", 150) },
      }),
    ],
    abstentions: [],
  };
}

const workColumns = 480;
const abstainFromProfile = (reason: "outOfRange" | "selfCheckFailed", detail: string): MeasurementResult => ({
  observations: [],
  abstentions: [createAbstention("CEPH_PROFILE", reason, detail)],
});

/** The outline from the forehead to below the chin, in pixels of the grid; else why there is none. */
function traceProfile(grid: Grid): [number, number][] | string {
  const log = toLogarithmic(grid);
  const air = findAirLevel(log);
  if (air === null) return "there is no air before the face";
  const tissue = largestComponent(log, air.level);
  const facing = facingDirection(grid, tissue);
  if (facing === null) return "it is not clear to which side the face looks";
  const rightFacingLog = facing === "right" ? log : mirrorColumns(log);
  const rightFacingTissue = facing === "right" ? tissue : mirrorColumns(tissue);
  const outline = findOutlinePath(rightFacingLog, rightFacingTissue);
  if (outline === null) return "the outline is broken";
  if (outline.strength < 4 * air.noise) return "the outline is too faint";
  const points = outline.columns.map((column, index): [number, number] => {
    const x = column + 0.5;
    return [facing === "right" ? x : grid.columns - x, outline.first + index + 0.5];
  });
  return points.filter((_, index) => index % 2 === 0);
}

/** Logarithm of grey over the darkest: an edge of soft tissue is as steep before a dark as before a bright ground. */
function toLogarithmic(grid: Grid): Grid {
  const smooth = boxBlur(grid, 1, 1);
  const [low, high] = percentiles(smooth.data, [0.002, 0.995]);
  const span = Math.max(1e-9, high - low);
  return { ...smooth, data: smooth.data.map((value) => Math.log(0.02 + Math.max(0, (value - low) / span))) };
}

/**
 * Finds the level between air and tissue, by the split of the logarithms that separates them best (Otsu 1979), and the
 * noise of air.
 */
function findAirLevel({ data }: Grid): { level: number; noise: number } | null {
  const [low, high] = percentiles(data, [0.001, 0.999]);
  const bins = 64;
  const counts = new Float64Array(bins);
  for (const value of data)
    counts[Math.min(bins - 1, Math.max(0, Math.floor(((value - low) / (high - low || 1)) * bins)))]++;
  const total = data.length;
  const sum = counts.reduce((all, count, bin) => all + count * bin, 0);
  let [below, belowSum, best, split] = [0, 0, -1, 0];
  counts.forEach((count, bin) => {
    below += count;
    belowSum += count * bin;
    const above = total - below;
    if (below === 0 || above === 0) return;
    const betweenVariance = below * above * (belowSum / below - (sum - belowSum) / above) ** 2;
    if (betweenVariance > best) [best, split] = [betweenVariance, bin];
  });
  const level = low + ((split + 1) / bins) * (high - low);
  const dark = data.filter((value) => value < level);
  if (dark.length < 0.05 * total || dark.length > 0.8 * total) return null;
  const [lowerQuartile, medianLevel, upperQuartile] = percentiles(dark, [0.25, 0.5, 0.75]);
  // Soft tissue is thin at its edge: nearer to air than to the middle between air and bone.
  return {
    level: medianLevel + 0.35 * (level - medianLevel),
    noise: Math.min(upperQuartile - medianLevel, medianLevel - lowerQuartile),
  };
}

/** Returns 1 in the largest connected part above a level; rulers and letters are separate parts. */
function largestComponent({ columns, rows, data }: Grid, level: number): Grid {
  const labels = new Int32Array(data.length);
  const sizes = [0];
  const pending: number[] = [];
  for (let start = 0; start < data.length; start++) {
    if (labels[start] !== 0 || data[start] <= level) continue;
    const label = sizes.push(0) - 1;
    const addNeighbour = (index: number): void => {
      if (labels[index] !== 0 || data[index] <= level) return;
      labels[index] = label;
      sizes[label]++;
      pending.push(index);
    };
    addNeighbour(start);
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (index % columns > 0) addNeighbour(index - 1);
      if (index % columns < columns - 1) addNeighbour(index + 1);
      if (index >= columns) addNeighbour(index - columns);
      if (index < data.length - columns) addNeighbour(index + columns);
    }
  }
  const largest = sizes.indexOf(Math.max(...sizes));
  return { columns, rows, data: Float32Array.from(labels, (label) => (label === largest && label > 0 ? 1 : 0)) };
}

/** Teeth and jaws, the densest parts of the lower half, are before the middle of the head. */
function facingDirection(grid: Grid, tissue: Grid): "left" | "right" | null {
  const { columns, rows, data } = grid;
  const [top, bottom] = [Math.round(0.5 * rows), Math.round(0.88 * rows)];
  const [denseLevel] = percentiles(data.subarray(top * columns, bottom * columns), [0.97]);
  let [denseCount, denseColumnSum, tissueCount, tissueColumnSum] = [0, 0, 0, 0];
  for (let index = top * columns; index < bottom * columns; index++) {
    if (tissue.data[index] === 0) continue;
    [tissueCount, tissueColumnSum] = [tissueCount + 1, tissueColumnSum + (index % columns)];
    if (data[index] >= denseLevel) [denseCount, denseColumnSum] = [denseCount + 1, denseColumnSum + (index % columns)];
  }
  if (denseCount === 0 || tissueCount === 0) return null;
  const denseOffset = (denseColumnSum / denseCount - tissueColumnSum / tissueCount) / columns;
  if (Math.abs(denseOffset) < 0.03) return null;
  return denseOffset > 0 ? "right" : "left";
}

function mirrorColumns({ columns, rows, data }: Grid): Grid {
  const out = newGrid(columns, rows);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      out.data[row * columns + column] = data[(row + 1) * columns - 1 - column];
  return out;
}

interface OutlinePath {
  first: number;
  columns: number[];
  /** Usual rise of the logarithm across it. */
  strength: number;
}

/** The path of the steepest rise from air to tissue near the outermost tissue, by dynamic programming from row to row. */
function findOutlinePath(log: Grid, tissue: Grid): OutlinePath | null {
  const { columns, rows } = log;
  const outermostColumns = outermostTissueColumns(tissue);
  const first = outermostColumns.findIndex((column, row) => row > 0.1 * rows && column >= 0);
  let last = first;
  while (last + 1 < rows * 0.93 && outermostColumns[last + 1] >= 0) last++;
  if (first < 0 || last - first < 0.5 * rows) return null;
  const reach = Math.round(0.035 * columns);
  const drop = brightnessDrop(log);
  const path = steepestPath(drop, outermostColumns, { first, last, reach });
  const drops = path.map((column, index) => drop.data[(first + index) * columns + column]);
  const [strength, faint] = percentiles(Float32Array.from(drops), [0.5, 0.08]);
  const jumps = path.filter((column, index) => index > 0 && Math.abs(column - path[index - 1]) > 5).length;
  return faint <= 0 || jumps > 0.04 * path.length ? null : { first, columns: path, strength };
}

/** Returns the tissue farthest to the right in each row; -1 if there is none or no air next to it. */
const outermostTissueColumns = ({ columns, rows, data }: Grid): number[] =>
  Array.from({ length: rows }, (_, row) => {
    const column = data.subarray(row * columns, (row + 1) * columns).lastIndexOf(1);
    return column > 0.97 * columns ? -1 : column;
  });

/** By how much the logarithm rises from right to left. */
function brightnessDrop({ columns, rows, data }: Grid): Grid {
  const out = newGrid(columns, rows);
  const half = 2;
  for (let row = 0; row < rows; row++)
    for (let column = half; column < columns - half; column++) {
      const index = row * columns + column;
      out.data[index] = data[index - half] + data[index - 1] - data[index + 1] - data[index + half];
    }
  return out;
}

function steepestPath(
  { columns, data }: Grid,
  outermostColumns: readonly number[],
  { first, last, reach }: { first: number; last: number; reach: number },
): number[] {
  const width = 2 * reach + 1;
  const count = last - first + 1;
  const best = new Float32Array(width * count);
  const from = new Int16Array(width * count);
  for (let index = 0; index < count; index++) {
    const middle = outermostColumns[first + index];
    const shift = index === 0 ? 0 : middle - outermostColumns[first + index - 1];
    for (let offset = 0; offset < width; offset++) {
      const column = Math.min(columns - 1, Math.max(0, middle - reach + offset));
      const edgeValue = Math.min(1, data[(first + index) * columns + column]);
      let [bestValue, bestPrevious] = [index === 0 ? 0 : -Infinity, offset];
      for (let previous = 0; index > 0 && previous < width; previous++) {
        const shiftDistance = Math.abs(offset + shift - previous);
        const value = best[(index - 1) * width + previous] - 0.05 * Math.min(shiftDistance, 12);
        if (value > bestValue) [bestValue, bestPrevious] = [value, previous];
      }
      best[index * width + offset] = edgeValue + bestValue;
      from[index * width + offset] = bestPrevious;
    }
  }
  const path: number[] = [];
  let offset = 0;
  for (let candidate = 1; candidate < width; candidate++)
    if (best[(count - 1) * width + candidate] > best[(count - 1) * width + offset]) offset = candidate;
  for (let index = count - 1; index >= 0; index--) {
    path[index] = Math.min(columns - 1, Math.max(0, outermostColumns[first + index] - reach + offset));
    offset = from[index * width + offset];
  }
  return path;
}
