import { median, type Grid } from "./pixel-grid.ts";

interface MarkColumn {
  marks: readonly number[];
  gap: number;
  left: number;
  right: number;
  sign: 1 | -1;
}

/** Returns the number of marks from one longer mark to the next, and the number of those to a still longer one. */
export function findLongerMarks(grid: Grid, comb: MarkColumn): number[] {
  const lengths = comb.marks.map((mark) => markLength(grid, comb, mark));
  const first = findDivision(lengths, [2, 5, 10]);
  if (!first) return [];
  const [every, phase] = first;
  if (every !== 5) return [every];
  const second = findDivision(
    lengths.filter((_, index) => index % 5 === phase),
    [2],
  );
  return second ? [5, 2] : [5];
}

/** Returns the length of a mark in columns, to both sides. */
function markLength({ columns, rows, data }: Grid, { left, right, gap, sign }: MarkColumn, mark: number): number {
  const middle = Math.round((left + right) / 2);
  const half = Math.max(1, Math.round(gap / 2));
  const rowTolerance = gap > 12 ? 2 : 1;
  const contrastAt = (column: number, row: number): number => {
    let brightest = -Infinity;
    for (let nearRow = row - rowTolerance; nearRow <= row + rowTolerance; nearRow++)
      brightest = Math.max(brightest, sign * valueAt(column, nearRow));
    return brightest - (sign * (valueAt(column, row - half) + valueAt(column, row + half))) / 2;
  };
  const valueAt = (column: number, row: number): number =>
    data[Math.max(0, Math.min(rows - 1, row)) * columns + Math.max(0, Math.min(columns - 1, column))];
  const row = Math.round(mark);
  const markContrasts: number[] = [];
  for (let column = left; column <= right; column++) markContrasts.push(contrastAt(column, row));
  const minContrast = 0.45 * median(markContrasts);
  const maxReach = Math.round(0.07 * Math.max(columns, rows));
  const extent = (step: 1 | -1): number => {
    let [reached, misses] = [0, 0];
    for (let distance = 1; distance <= maxReach && misses < 3; distance++) {
      if (contrastAt(middle + step * distance, row) > minContrast) [reached, misses] = [distance, 0];
      else misses++;
    }
    return reached;
  };
  return 1 + extent(1) + extent(-1);
}

/** Returns the smallest division at which nearly all marks of one phase are longer than nearly all others. */
function findDivision(lengths: readonly number[], divisions: readonly number[]): [every: number, phase: number] | null {
  for (const interval of divisions)
    for (let phase = 0; phase < interval; phase++) {
      const long = lengths.filter((_, index) => index % interval === phase);
      const short = lengths.filter((_, index) => index % interval !== phase);
      if (long.length < (interval === 10 ? 3 : 2) || short.length < 3) continue;
      const [longer, shorter] = [median(long), median(short)];
      if (longer < 1.3 * shorter || longer - shorter < 3) continue;
      const limit = (longer + shorter) / 2;
      const misclassified =
        long.filter((length) => length < limit).length + short.filter((length) => length > limit).length;
      if (misclassified <= lengths.length / 10) return [interval, phase];
    }
  return null;
}
