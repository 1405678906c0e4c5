import { methodStudyText } from "@arcada/contract/analysis/method-study";
import type { EnginePicture } from "../engine.ts";
import { boxed, median, percentiles, shrunk, type Grid } from "./grid.ts";
import { abstained, seen, type Measured } from "./measured.ts";

/** A ruler in the picture, by its marks. */
export interface Ruler {
  /** mm of the ruler in a pixel. */
  scale: number;
  /** Marks of one column of the ruler, from the top. */
  marks: { column: number; rows: number[] };
  isVertical: boolean;
}

/** The scale of a picture by a ruler in it. */
export function measureScale(picture: EnginePicture): Measured {
  const ruler = findRuler({ columns: picture.columns, rows: picture.rows, data: picture.samples });
  if (!ruler) return { observations: [], abstentions: [abstained("CEPH_SCALE", "notSupported", "no ruler was found")] };
  const known = picture.spacing?.row;
  if (known !== undefined && Math.abs(Math.log(ruler.scale / known)) > Math.log(1.25))
    return {
      observations: [],
      abstentions: [
        abstained("CEPH_SCALE", "selfCheckFailed", "the marks do not agree with the picture's own spacing"),
      ],
    };
  const { column, rows } = ruler.marks;
  const points = rows.map((row): [number, number] => (ruler.isVertical ? [column, row] : [row, column]));
  return {
    observations: [
      seen("CEPH_SCALE", ruler.scale, {
        unit: "mm/px",
        geometry: { kind: "line", points: [points[0], points[points.length - 1]] },
        confidence: { basis: "error", plusMinus: 2, unit: "%", set: methodStudyText("lateralCeph", 150) },
      }),
    ],
    abstentions: [],
  };
}

/**
 * Marks at equal distances, one above the other or side by side, in several columns next to each other. What a mark's
 * distance stands for follows from the picture: a head's film is between 165 and 325 mm high, and of 1, 2, 5 and 10 mm
 * only one fits.
 */
export function findRuler(picture: Grid): Ruler | null {
  const shrink = Math.max(1, Math.max(picture.columns, picture.rows) / longestSide);
  const [columns, rows] = [Math.round(picture.columns / shrink), Math.round(picture.rows / shrink)];
  const grid = shrunk(picture, { left: 0, top: 0, right: picture.columns, bottom: picture.rows }, columns, rows);
  const found = [true, false].flatMap((isVertical) => {
    const turned = isVertical ? grid : transposed(grid);
    const rows = bestRow(rowsOfMarks(turned));
    return rows ? [{ ...rows, isVertical }] : [];
  });
  const best = found.toSorted((a, b) => b.marks.length - a.marks.length)[0];
  if (!best) return null;
  const tall = Math.max(grid.rows, grid.columns);
  const fits = [1, 2, 5, 10].filter((mm) => {
    const height = (mm / best.gap) * tall;
    return height >= 165 && height < 325;
  });
  const [mm] = fits;
  if (mm === undefined || fits.length > 1) return null;
  return {
    scale: mm / (best.gap * shrink),
    // The middle of the first pixel lies at 0.5.
    marks: { column: (best.column + 0.5) * shrink, rows: best.marks.map((row) => (row + 0.5) * shrink) },
    isVertical: best.isVertical,
  };
}

const longestSide = 1800;

interface Row {
  column: number;
  marks: number[];
  gap: number;
}

function transposed({ columns, rows, data }: Grid): Grid {
  const out = new Float32Array(data.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) out[column * rows + row] = data[row * columns + column];
  return { columns: rows, rows: columns, data: out };
}

const stripWidth = 3;
const fewestMarks = 6;

function rowsOfMarks(grid: Grid): Row[] {
  const { columns, rows } = grid;
  const smooth = boxed(grid, 1, Math.max(1, Math.round(rows / 1200)));
  const found: Row[] = [];
  const strip = new Float32Array(rows);
  for (let column = stripWidth; column < columns - stripWidth; column += stripWidth) {
    for (let row = 0; row < rows; row++) strip[row] = smooth.data[row * columns + column];
    const row = longestRow(peaksOf(strip));
    if (row) found.push({ column, ...row });
  }
  return found;
}

interface Peak {
  at: number;
  high: number;
}

/** Places that stand out of what is round them. */
function peaksOf(strip: Float32Array): Peak[] {
  const half = Math.round(strip.length / 45);
  const base = boxed({ columns: 1, rows: strip.length, data: strip }, 0, half).data;
  const over = strip.map((value, at) => value - base[at]);
  const [noise] = percentiles(over.map(Math.abs), [0.5]);
  const least = 4 * noise;
  const peaks: Peak[] = [];
  for (let at = 1; at < over.length - 1; at++) {
    const high = over[at];
    if (high < least || high <= over[at - 1] || high < over[at + 1]) continue;
    const last = peaks.at(-1);
    // Two tops of one mark: the higher one is it.
    if (last && at - last.at < 4) {
      if (high > last.high) Object.assign(last, { at, high });
      continue;
    }
    const bend = over[at - 1] - 2 * high + over[at + 1];
    peaks.push({ at: at + (over[at - 1] - over[at + 1]) / (2 * bend || 1), high });
  }
  return peaks;
}

/** The longest run of peaks that are as far from each other, and about as high, with nothing as high between. */
function longestRow(peaks: readonly Peak[]): { marks: number[]; gap: number } | null {
  let best: Peak[] = [];
  for (let start = 0; start + fewestMarks <= peaks.length; start++) {
    const row = [peaks[start]];
    let gap = 0;
    for (let next = start + 1; next < peaks.length; next++) {
      const [last, peak] = [row[row.length - 1], peaks[next]];
      const mean = row.reduce((sum, { high }) => sum + high, 0) / row.length;
      if (peak.high < 0.4 * mean) continue;
      const step = peak.at - last.at;
      const isNext = row.length === 1 || Math.abs(step - gap) < Math.max(0.04 * gap, 0.8);
      if (!isNext || peak.high > 2.5 * mean) break;
      row.push(peak);
      gap = (peak.at - row[0].at) / (row.length - 1);
    }
    if (row.length > best.length) best = row;
  }
  if (best.length < fewestMarks) return null;
  const marks = best.map(({ at }) => at);
  return { marks, gap: (marks[marks.length - 1] - marks[0]) / (marks.length - 1) };
}

/** Of columns next to each other that agree: the one with the most marks, and the middle of their distances. */
function bestRow(rows: readonly Row[]): Row | null {
  const groups = rows.map((row) =>
    rows.filter(
      (other) =>
        Math.abs(other.column - row.column) <= 5 * stripWidth &&
        Math.abs(other.gap / row.gap - 1) < 0.015 &&
        Math.abs(other.marks[0] - row.marks[0]) < row.gap,
    ),
  );
  const group = groups.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? [];
  if (group.length < 3) return null;
  const longest = group.toSorted((a, b) => b.marks.length - a.marks.length)[0];
  return { ...longest, gap: median(group.map(({ gap }) => gap)) };
}

const weightOf = (group: readonly Row[]): number => group.reduce((sum, { marks }) => sum + marks.length, 0);
