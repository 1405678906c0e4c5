import { median, type Grid } from "./grid.ts";

interface Marked {
  marks: readonly number[];
  gap: number;
  left: number;
  right: number;
  sign: 1 | -1;
}

/** Returns the number of marks from one longer mark to the next, and the number of those to a still longer one. */
export function longerMarks(grid: Grid, comb: Marked): number[] {
  const lengths = comb.marks.map((mark) => lengthOf(grid, comb, mark));
  const first = divisionOf(lengths, [2, 5, 10]);
  if (!first) return [];
  const [every, phase] = first;
  if (every !== 5) return [every];
  const second = divisionOf(
    lengths.filter((_, index) => index % 5 === phase),
    [2],
  );
  return second ? [5, 2] : [5];
}

/** Returns the length of a mark in columns, to both sides. */
function lengthOf({ columns, rows, data }: Grid, { left, right, gap, sign }: Marked, mark: number): number {
  const middle = Math.round((left + right) / 2);
  const half = Math.max(1, Math.round(gap / 2));
  const slack = gap > 12 ? 2 : 1;
  const rise = (column: number, row: number): number => {
    let top = -Infinity;
    for (let at = row - slack; at <= row + slack; at++) top = Math.max(top, sign * valueAt(column, at));
    return top - (sign * (valueAt(column, row - half) + valueAt(column, row + half))) / 2;
  };
  const valueAt = (column: number, row: number): number =>
    data[Math.max(0, Math.min(rows - 1, row)) * columns + Math.max(0, Math.min(columns - 1, column))];
  const row = Math.round(mark);
  const own: number[] = [];
  for (let column = left; column <= right; column++) own.push(rise(column, row));
  const least = 0.45 * median(own);
  const most = Math.round(0.07 * Math.max(columns, rows));
  const reach = (step: 1 | -1): number => {
    let [far, missed] = [0, 0];
    for (let out = 1; out <= most && missed < 3; out++) {
      if (rise(middle + step * out, row) > least) [far, missed] = [out, 0];
      else missed++;
    }
    return far;
  };
  return 1 + reach(1) + reach(-1);
}

/** Returns the smallest division at which nearly all marks of one phase are longer than nearly all others. */
function divisionOf(lengths: readonly number[], divisions: readonly number[]): [every: number, phase: number] | null {
  for (const every of divisions)
    for (let phase = 0; phase < every; phase++) {
      const long = lengths.filter((_, index) => index % every === phase);
      const short = lengths.filter((_, index) => index % every !== phase);
      if (long.length < (every === 10 ? 3 : 2) || short.length < 3) continue;
      const [longer, shorter] = [median(long), median(short)];
      if (longer < 1.3 * shorter || longer - shorter < 3) continue;
      const limit = (longer + shorter) / 2;
      const wrong = long.filter((one) => one < limit).length + short.filter((one) => one > limit).length;
      if (wrong <= lengths.length / 10) return [every, phase];
    }
  return null;
}
