import { methodStudyText } from "@arcada/contract/analysis/method-study";
import type { EnginePicture } from "../engine.ts";
import { boxed, newGrid, percentiles, shrunk, type Grid } from "./grid.ts";
import { abstained, seen, type Measured } from "./measured.ts";

/** Measures the outline of the soft tissue in front of an upright face in profile. */
export function measureProfile(picture: EnginePicture): Measured {
  const rows = Math.round((workColumns * picture.rows) / picture.columns);
  if (picture.columns < workColumns || rows < 0.8 * workColumns || rows > 1.8 * workColumns)
    return nothing("outOfRange", "the picture's shape is not a cephalogram's");
  const whole: Grid = { columns: picture.columns, rows: picture.rows, data: picture.samples };
  const grid = shrunk(whole, { left: 0, top: 0, right: whole.columns, bottom: whole.rows }, workColumns, rows);
  const found = profileIn(grid);
  if (typeof found === "string") return nothing("selfCheckFailed", found);
  const scale = picture.columns / workColumns;
  const points = found.map(([x, y]): [number, number] => [x * scale, y * scale]);
  return {
    observations: [
      seen("CEPH_PROFILE", null, {
        geometry: { kind: "line", points },
        confidence: { basis: "error", plusMinus: 2, unit: "mm", set: methodStudyText("lateralCeph", 150) },
      }),
    ],
    abstentions: [],
  };
}

const workColumns = 480;
const nothing = (reason: "outOfRange" | "selfCheckFailed", detail: string): Measured => ({
  observations: [],
  abstentions: [abstained("CEPH_PROFILE", reason, detail)],
});

/** The outline from the forehead to below the chin, in pixels of the grid; else why there is none. */
function profileIn(grid: Grid): [number, number][] | string {
  const log = logOf(grid);
  const air = airOf(log);
  if (air === null) return "there is no air before the face";
  const tissue = largestPiece(log, air.level);
  const facing = facingOf(grid, tissue);
  if (facing === null) return "it is not clear to which side the face looks";
  const looking = facing === "right" ? log : mirrored(log);
  const solid = facing === "right" ? tissue : mirrored(tissue);
  const edge = edgePath(looking, solid);
  if (edge === null) return "the outline is broken";
  if (edge.strength < 4 * air.noise) return "the outline is too faint";
  const points = edge.columns.map((column, at): [number, number] => {
    const x = column + 0.5;
    return [facing === "right" ? x : grid.columns - x, edge.first + at + 0.5];
  });
  return points.filter((_, at) => at % 2 === 0);
}

/** Logarithm of grey over the darkest: an edge of soft tissue is as steep before a dark as before a bright ground. */
function logOf(grid: Grid): Grid {
  const smooth = boxed(grid, 1, 1);
  const [low, high] = percentiles(smooth.data, [0.002, 0.995]);
  const span = Math.max(1e-9, high - low);
  return { ...smooth, data: smooth.data.map((value) => Math.log(0.02 + Math.max(0, (value - low) / span))) };
}

/**
 * Finds the level between air and tissue, by the split of the logarithms that separates them best (Otsu 1979), and the
 * noise of air.
 */
function airOf({ data }: Grid): { level: number; noise: number } | null {
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
    const between = below * above * (belowSum / below - (sum - belowSum) / above) ** 2;
    if (between > best) [best, split] = [between, bin];
  });
  const level = low + ((split + 1) / bins) * (high - low);
  const dark = data.filter((value) => value < level);
  if (dark.length < 0.05 * total || dark.length > 0.8 * total) return null;
  const [quarter, middle, most] = percentiles(dark, [0.25, 0.5, 0.75]);
  // Soft tissue is thin at its edge: nearer to air than to the middle between air and bone.
  return { level: middle + 0.35 * (level - middle), noise: Math.min(most - middle, middle - quarter) };
}

/** Returns 1 in the largest connected part above a level; rulers and letters are separate parts. */
function largestPiece({ columns, rows, data }: Grid, level: number): Grid {
  const pieces = new Int32Array(data.length);
  const sizes = [0];
  const waiting: number[] = [];
  for (let start = 0; start < data.length; start++) {
    if (pieces[start] !== 0 || data[start] <= level) continue;
    const piece = sizes.push(0) - 1;
    const visit = (at: number): void => {
      if (pieces[at] !== 0 || data[at] <= level) return;
      pieces[at] = piece;
      sizes[piece]++;
      waiting.push(at);
    };
    visit(start);
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (at % columns > 0) visit(at - 1);
      if (at % columns < columns - 1) visit(at + 1);
      if (at >= columns) visit(at - columns);
      if (at < data.length - columns) visit(at + columns);
    }
  }
  const largest = sizes.indexOf(Math.max(...sizes));
  return { columns, rows, data: Float32Array.from(pieces, (piece) => (piece === largest && piece > 0 ? 1 : 0)) };
}

/** Teeth and jaws, the densest parts of the lower half, are before the middle of the head. */
function facingOf(grid: Grid, tissue: Grid): "left" | "right" | null {
  const { columns, rows, data } = grid;
  const [top, bottom] = [Math.round(0.5 * rows), Math.round(0.88 * rows)];
  const [dense] = percentiles(data.subarray(top * columns, bottom * columns), [0.97]);
  let [n, sum, m, all] = [0, 0, 0, 0];
  for (let at = top * columns; at < bottom * columns; at++) {
    if (tissue.data[at] === 0) continue;
    [m, all] = [m + 1, all + (at % columns)];
    if (data[at] >= dense) [n, sum] = [n + 1, sum + (at % columns)];
  }
  if (n === 0 || m === 0) return null;
  const ahead = (sum / n - all / m) / columns;
  if (Math.abs(ahead) < 0.03) return null;
  return ahead > 0 ? "right" : "left";
}

function mirrored({ columns, rows, data }: Grid): Grid {
  const out = newGrid(columns, rows);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      out.data[row * columns + column] = data[(row + 1) * columns - 1 - column];
  return out;
}

interface Edge {
  first: number;
  columns: number[];
  /** Usual rise of the logarithm across it. */
  strength: number;
}

/** The path of the steepest rise from air to tissue near the outermost tissue, by dynamic programming from row to row. */
function edgePath(log: Grid, tissue: Grid): Edge | null {
  const { columns, rows } = log;
  const outer = outermost(tissue);
  const first = outer.findIndex((column, row) => row > 0.1 * rows && column >= 0);
  let last = first;
  while (last + 1 < rows * 0.93 && outer[last + 1] >= 0) last++;
  if (first < 0 || last - first < 0.5 * rows) return null;
  const reach = Math.round(0.035 * columns);
  const rise = riseOf(log);
  const path = steepest(rise, outer, { first, last, reach });
  const rises = path.map((column, at) => rise.data[(first + at) * columns + column]);
  const [strength, faint] = percentiles(Float32Array.from(rises), [0.5, 0.08]);
  const jumps = path.filter((column, at) => at > 0 && Math.abs(column - path[at - 1]) > 5).length;
  return faint <= 0 || jumps > 0.04 * path.length ? null : { first, columns: path, strength };
}

/** Returns the tissue farthest to the right in each row; -1 if there is none or no air next to it. */
const outermost = ({ columns, rows, data }: Grid): number[] =>
  Array.from({ length: rows }, (_, row) => {
    const column = data.subarray(row * columns, (row + 1) * columns).lastIndexOf(1);
    return column > 0.97 * columns ? -1 : column;
  });

/** By how much the logarithm rises from right to left. */
function riseOf({ columns, rows, data }: Grid): Grid {
  const out = newGrid(columns, rows);
  const half = 2;
  for (let row = 0; row < rows; row++)
    for (let column = half; column < columns - half; column++) {
      const at = row * columns + column;
      out.data[at] = data[at - half] + data[at - 1] - data[at + 1] - data[at + half];
    }
  return out;
}

function steepest(
  { columns, data }: Grid,
  outer: readonly number[],
  { first, last, reach }: { first: number; last: number; reach: number },
): number[] {
  const width = 2 * reach + 1;
  const count = last - first + 1;
  const best = new Float32Array(width * count);
  const from = new Int16Array(width * count);
  for (let at = 0; at < count; at++) {
    const middle = outer[first + at];
    const shift = at === 0 ? 0 : middle - outer[first + at - 1];
    for (let place = 0; place < width; place++) {
      const column = Math.min(columns - 1, Math.max(0, middle - reach + place));
      const own = Math.min(1, data[(first + at) * columns + column]);
      let [most, chosen] = [at === 0 ? 0 : -Infinity, place];
      for (let before = 0; at > 0 && before < width; before++) {
        const move = Math.abs(place + shift - before);
        const value = best[(at - 1) * width + before] - 0.05 * Math.min(move, 12);
        if (value > most) [most, chosen] = [value, before];
      }
      best[at * width + place] = own + most;
      from[at * width + place] = chosen;
    }
  }
  const path: number[] = [];
  let place = 0;
  for (let one = 1; one < width; one++)
    if (best[(count - 1) * width + one] > best[(count - 1) * width + place]) place = one;
  for (let at = count - 1; at >= 0; at--) {
    path[at] = Math.min(columns - 1, Math.max(0, outer[first + at] - reach + place));
    place = from[at * width + place];
  }
  return path;
}
