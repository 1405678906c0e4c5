import type { SearchField } from "./search-field.ts";

const farAway = 1000;

/**
 * The distance of each sample from the nearest one of a kind, in mm. Two sweeps over the 26 neighbours: at most 8 % too
 * long. Source: G. Borgefors, Distance transformations in arbitrary dimensions, 1984.
 */
export function measureDistances(
  { columns, rows, slices, spacing: [step] }: SearchField["info"],
  isOfKind: (at: number) => boolean,
): Float32Array {
  const distances = new Float32Array(columns * rows * slices);
  for (let at = 0; at < distances.length; at++) distances[at] = isOfKind(at) ? 0 : farAway;
  const before = listNeighboursBefore(columns, columns * rows, step);
  const lengths = Float64Array.from(before, ({ length }) => length);
  for (const sign of [1, -1] as const) {
    const offsets = Int32Array.from(before, ({ offset }) => sign * offset);
    const nearestInside = (at: number): number => {
      let least = distances[at];
      for (let n = 0; n < 13; n++) {
        const through = distances[at + offsets[n]] + lengths[n];
        if (through < least) least = through;
      }
      return least;
    };
    const nearestAtBorder = (i: number, j: number, k: number, at: number): number => {
      let least = distances[at];
      for (const [n, { x, y, z }] of before.entries()) {
        const [ni, nj, nk] = [i + sign * x, j + sign * y, k + sign * z];
        if (ni < 0 || nj < 0 || nk < 0 || ni >= columns || nj >= rows || nk >= slices) continue;
        least = Math.min(least, distances[at + offsets[n]] + lengths[n]);
      }
      return least;
    };
    for (let k = sign > 0 ? 0 : slices - 1; k >= 0 && k < slices; k += sign)
      for (let j = sign > 0 ? 0 : rows - 1; j >= 0 && j < rows; j += sign) {
        const isInside = j > 0 && k > 0 && j < rows - 1 && k < slices - 1;
        for (let i = sign > 0 ? 0 : columns - 1; i >= 0 && i < columns; i += sign) {
          const at = (k * rows + j) * columns + i;
          if (distances[at] === 0) continue;
          distances[at] = isInside && i > 0 && i < columns - 1 ? nearestInside(at) : nearestAtBorder(i, j, k, at);
        }
      }
  }
  return distances;
}

/** The neighbours that a sweep has met before a sample. */
function listNeighboursBefore(row: number, slice: number, step: number) {
  const parts = [-1, 0, 1];
  return parts
    .flatMap((z) => parts.flatMap((y) => parts.map((x) => ({ x, y, z }))))
    .slice(0, 13)
    .map((each) => ({
      ...each,
      offset: each.x + row * each.y + slice * each.z,
      length: step * Math.hypot(each.x, each.y, each.z),
    }));
}
