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
  for (const sign of [1, -1] as const)
    for (let n = 0; n < distances.length; n++) {
      const at = sign > 0 ? n : distances.length - 1 - n;
      if (distances[at] === 0) continue;
      const i = at % columns;
      const j = Math.floor(at / columns) % rows;
      const k = Math.floor(at / (columns * rows));
      for (const { x, y, z, offset, length } of before) {
        const [ni, nj, nk] = [i + sign * x, j + sign * y, k + sign * z];
        if (ni < 0 || nj < 0 || nk < 0 || ni >= columns || nj >= rows || nk >= slices) continue;
        const through = distances[at + sign * offset] + length;
        if (through < distances[at]) distances[at] = through;
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
