import type { HardTissue } from "../../volume/hard-tissue.ts";

/** A plane through the head, nearly level: height = level + rise · x + fall · y, all in mm of patient space. */
export interface TiltedPlane {
  level: number;
  /** Per mm to the left and per mm backwards. */
  left: number;
  back: number;
}

/** The amount of hard tissue over each cell of the plane: mm of full hardness, smoothed. */
export interface TissueMap {
  columns: number;
  rows: number;
  cell: number;
  /** Middle of the first cell. */
  x: number;
  y: number;
  mass: Float32Array;
}

/**
 * Sums the hard tissue between two heights over a plane. It is summed perpendicular to the plane, so that a tooth is
 * over one position even if the head is tilted.
 */
export function createTissueMap(
  tissue: HardTissue,
  tilt: TiltedPlane,
  [low, high]: readonly [number, number],
  cell: number,
  blur: number,
  least = 0,
): TissueMap {
  const { voxels, count, voxel } = tissue;
  const map = createEmptyMap(tissue, cell);
  const { columns, rows, x: left, y: top, mass } = map;
  const { x: leanX, y: leanY } = getLean(tilt);
  for (let at = 0; at < count * 4; at += 4) {
    const hard = voxels[at + 3];
    if (hard < least) continue;
    const height = voxels[at + 2] - tilt.level - tilt.left * voxels[at] - tilt.back * voxels[at + 1];
    if (height < low || height > high) continue;
    const column = Math.round((voxels[at] - height * leanX - left) / cell);
    const row = Math.round((voxels[at + 1] - height * leanY - top) / cell);
    if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
    mass[row * columns + column] += Math.min(1, hard);
  }
  const perMm = voxel / (cell * cell);
  for (let at = 0; at < mass.length; at++) mass[at] *= perMm;
  smoothMap(map, blur / cell);
  return map;
}

/** Returns the sideways shift of a plane's upright for each mm upwards. */
const getLean = ({ left, back }: TiltedPlane): { x: number; y: number } => ({ x: -left, y: -back });

function createEmptyMap({ voxels, count }: HardTissue, cell: number): TissueMap {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < count * 4; at += 4) {
    left = Math.min(left, voxels[at]);
    right = Math.max(right, voxels[at]);
    top = Math.min(top, voxels[at + 1]);
    bottom = Math.max(bottom, voxels[at + 1]);
  }
  const margin = 12;
  const columns = Math.ceil((right - left + 2 * margin) / cell) + 1;
  const rows = Math.ceil((bottom - top + 2 * margin) / cell) + 1;
  return { columns, rows, cell, x: left - margin, y: top - margin, mass: new Float32Array(columns * rows) };
}

/** Three runs of a moving mean come close to a bell of this standard deviation, in cells. */
function smoothMap({ columns, rows, mass }: TissueMap, deviation: number): void {
  const reach = Math.max(1, Math.round((Math.sqrt(4 * deviation * deviation + 1) - 1) / 2));
  const line = new Float32Array(Math.max(columns, rows) + 1);
  for (let run = 0; run < 3; run++) {
    for (let row = 0; row < rows; row++) averageLine(mass, line, row * columns, 1, columns, reach);
    for (let column = 0; column < columns; column++) averageLine(mass, line, column, columns, rows, reach);
  }
}

function averageLine(
  mass: Float32Array,
  line: Float32Array,
  start: number,
  stride: number,
  count: number,
  reach: number,
): void {
  line[0] = 0;
  for (let at = 0; at < count; at++) line[at + 1] = line[at] + mass[start + at * stride];
  for (let at = 0; at < count; at++) {
    const [from, to] = [Math.max(0, at - reach), Math.min(count, at + reach + 1)];
    mass[start + at * stride] = (line[to] - line[from]) / (2 * reach + 1);
  }
}

/** Returns the mass at a position, interpolated between cells; 0 outside. */
export function sampleMass({ columns, rows, cell, x: left, y: top, mass }: TissueMap, x: number, y: number): number {
  const [column, row] = [(x - left) / cell, (y - top) / cell];
  const [i, j] = [Math.floor(column), Math.floor(row)];
  if (i < 0 || j < 0 || i >= columns - 1 || j >= rows - 1) return 0;
  const [s, t] = [column - i, row - j];
  const at = j * columns + i;
  return (
    (mass[at] * (1 - s) + mass[at + 1] * s) * (1 - t) + (mass[at + columns] * (1 - s) + mass[at + columns + 1] * s) * t
  );
}
