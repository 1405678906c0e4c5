import { toClosedPath, toOpenPath, findOutline } from "./tooth-outlines.ts";

export const toothSets = ["permanent", "deciduous", "mixed"] as const;
export type ToothSet = (typeof toothSets)[number];
type Row = readonly number[];

// FDI numbers as a chart shows them, seen from the front: the patient's right is at the left.
const upper: Row = [18, 17, 16, 15, 14, 13, 12, 11, 21, 22, 23, 24, 25, 26, 27, 28];
const upperDeciduous: Row = [55, 54, 53, 52, 51, 61, 62, 63, 64, 65];
const lowerDeciduous: Row = [85, 84, 83, 82, 81, 71, 72, 73, 74, 75];
const lower: Row = [48, 47, 46, 45, 44, 43, 42, 41, 31, 32, 33, 34, 35, 36, 37, 38];

/** The rows of a chart from top to bottom. */
export const rowsBySet: Record<ToothSet, readonly Row[]> = {
  permanent: [upper, lower],
  deciduous: [upperDeciduous, lowerDeciduous],
  mixed: [upper, upperDeciduous, lowerDeciduous, lower],
};
const isDeciduous = (tooth: number): boolean => tooth > 50;
const isUpper = (tooth: number): boolean => upper.includes(tooth) || upperDeciduous.includes(tooth);

/** The smallest set that shows all of these teeth. */
export function findToothSet(teeth: readonly number[]): ToothSet {
  if (!teeth.some(isDeciduous)) return "permanent";
  return teeth.every(isDeciduous) ? "deciduous" : "mixed";
}

export const chartSize = { width: 400, height: 512 } as const;

export interface ToothShape {
  tooth: number;
  x: number;
  y: number;
  /** The rotation in degrees that turns the tooth's outer side outwards. */
  rotation: number;
  /** The outline and the furrows around the tooth's own centre. */
  outline: string;
  furrows: string;
  /** The position of its number. */
  labelX: number;
  labelY: number;
}

/** Returns the teeth between two of one row, both included, in the row's order; empty for different rows. */
export function findTeethBetween(from: number, to: number): number[] {
  const row = rowsBySet.mixed.find((teeth) => teeth.includes(from));
  if (!row?.includes(to)) return [];
  const [first, last] = [row.indexOf(from), row.indexOf(to)].toSorted((a, b) => a - b) as [number, number];
  return row.slice(first, last + 1);
}

/** In the order of the rows, as the teeth of a bridge are named. */
export const sortByArch = (teeth: readonly number[]): number[] =>
  rowsBySet.mixed.flatMap((row) => row.filter((tooth) => teeth.includes(tooth)));

/** Returns the neighbour that an arrow key selects within the shown rows. */
export function findNeighbour(tooth: number, key: string, rows: readonly Row[]): number | undefined {
  const at = rows.findIndex((row) => row.includes(tooth));
  const row = rows[at];
  if (!row) return undefined;
  const position = row.indexOf(tooth);
  if (key === "ArrowLeft") return row[position - 1];
  if (key === "ArrowRight") return row[position + 1];
  const other = key === "ArrowUp" ? rows[at - 1] : key === "ArrowDown" ? rows[at + 1] : undefined;
  if (!other) return undefined;
  // The tooth at the same distance from the middle, limited to the length of the other row.
  return other[Math.min(Math.max(position - row.length / 2 + other.length / 2, 0), other.length - 1)];
}

interface Arch {
  halfWidth: number;
  height: number;
}
// Each row is half an ellipse, with the numbers inside it. Deciduous teeth are inside the permanent ones if both are
// shown.
const middle = { x: 200, upperY: 240, lowerY: 272 } as const;
const outer: Arch = { halfWidth: 164, height: 208 };
const inner: Arch = { halfWidth: 92, height: 126 };
const single: Arch = { halfWidth: 140, height: 180 };
/** Relative widths and depths, from the middle to the back. Narrow teeth are widened for touch. */
const sizes = {
  permanent: {
    upper: [8.4, 7.2, 7.8, 7.4, 7.4, 9.4, 9, 8.6],
    lower: [6.9, 7, 7.4, 7.5, 7.6, 9.7, 9.4, 9],
    depths: [6.4, 6.1, 7.4, 8.2, 8.4, 9.6, 9.4, 9],
  },
  deciduous: {
    upper: [6.6, 5.9, 6.9, 7.6, 8.8],
    lower: [5.8, 5.9, 6.6, 8, 9.4],
    depths: [5.6, 5.4, 6.6, 8.2, 9],
  },
} as const;
const gap = 1.5;
const steps = 720;
const round = (value: number): number => Math.round(value * 10) / 10;

interface CurvePoint {
  x: number;
  y: number;
  along: number;
}
/** Returns points of the half ellipse from left to right, each with its distance along the curve. */
function curve({ halfWidth, height }: Arch, above: boolean): CurvePoint[] {
  let along = 0;
  let before: { x: number; y: number } | null = null;
  return Array.from({ length: steps + 1 }, (_, step) => {
    const angle = Math.PI * (1 - step / steps);
    const rise = height * Math.sin(angle);
    const x = middle.x + halfWidth * Math.cos(angle);
    const y = above ? middle.upperY - rise : middle.lowerY + rise;
    if (before) along += Math.hypot(x - before.x, y - before.y);
    before = { x, y };
    return { x, y, along };
  });
}

function createRowShapes(row: Row, arch: Arch): ToothShape[] {
  const above = isUpper(row[0]!);
  const points = curve(arch, above);
  const set = sizes[isDeciduous(row[0]!) ? "deciduous" : "permanent"];
  const own: readonly number[] = above ? set.upper : set.lower;
  const position = (tooth: number) => (tooth % 10) - 1;
  const scale = points.at(-1)!.along / row.reduce((sum, tooth) => sum + own[position(tooth)]!, 0);
  let at = 0;
  return row.map((tooth) => {
    const width = own[position(tooth)]! * scale;
    at += width;
    const depth = set.depths[position(tooth)]! * (arch === inner ? 3.6 : 4.8);
    return createShape(tooth, points, at - width / 2, width - gap, depth);
  });
}

function createShape(
  tooth: number,
  points: readonly CurvePoint[],
  at: number,
  width: number,
  depth: number,
): ToothShape {
  const step = points.findIndex(({ along }) => along >= at);
  const [before, here, after] = [points[step - 1]!, points[step]!, points[step + 1] ?? points[step]!];
  const length = Math.hypot(after.x - before.x, after.y - before.y);
  const inwards = isUpper(tooth) ? 1 : -1;
  const label = depth / 2 + 12;
  const { points: around, furrows } = findOutline(tooth % 10, isUpper(tooth), isDeciduous(tooth));
  // The patient's right half is on the left; there the midline is to the right.
  const isRight = [1, 4, 5, 8].includes(Math.floor(tooth / 10));
  const size = { x: (width / 2) * (isRight ? 1 : -1), y: (depth / 2) * -inwards };
  return {
    tooth,
    x: round(here.x),
    y: round(here.y),
    rotation: round((Math.atan2(after.y - before.y, after.x - before.x) * 180) / Math.PI),
    outline: toClosedPath(around, size),
    furrows: furrows.map((line) => toOpenPath(line, size)).join(""),
    labelX: round(here.x - ((after.y - before.y) / length) * inwards * label),
    labelY: round(here.y + ((after.x - before.x) / length) * inwards * label),
  };
}

const createChart = (set: ToothSet): ReadonlyMap<number, ToothShape> =>
  new Map(
    rowsBySet[set]
      .flatMap((row) => createRowShapes(row, !isDeciduous(row[0]!) ? outer : set === "mixed" ? inner : single))
      .map((shape) => [shape.tooth, shape]),
  );
/** Every tooth of each chart, by its number. */
export const toothShapes: Record<ToothSet, ReadonlyMap<number, ToothShape>> = {
  permanent: createChart("permanent"),
  deciduous: createChart("deciduous"),
  mixed: createChart("mixed"),
};
