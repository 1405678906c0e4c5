import type { Place } from "./geometry.ts";

/**
 * A thin-plate spline (Bookstein 1989) that maps each `from` onto its `to` and bends the space between as little as
 * possible. Null if fewer than three points are given, or if all are collinear.
 */
export function warped(from: readonly Place[], to: readonly Place[]): ((place: Place) => Place) | null {
  const count = from.length;
  if (count < 3) return null;
  const size = count + 3;
  const rows = Array.from({ length: size }, (_, at): number[] => {
    if (at >= count) {
      const axis = at - count;
      return [...from.map((place) => affine(place)[axis]!), 0, 0, 0, 0, 0];
    }
    return [...from.map((other) => kernel(from[at]!, other)), ...affine(from[at]!), ...to[at]!];
  });
  const found = solved(rows);
  if (!found) return null;
  return (place) => {
    const basis = [...from.map((other) => kernel(place, other)), ...affine(place)];
    const sum = (axis: 0 | 1) => basis.reduce((total, share, at) => total + share * found[at]![axis], 0);
    return [sum(0), sum(1)];
  };
}

const affine = ([x, y]: Place): readonly [number, number, number] => [1, x, y];
const kernel = ([ax, ay]: Place, [bx, by]: Place): number => {
  const square = (ax - bx) ** 2 + (ay - by) ** 2;
  return square === 0 ? 0 : square * Math.log(square);
};

/** Gauss's elimination with the largest pivot; each row ends in two right sides. Null where it has no single answer. */
function solved(rows: number[][]): (readonly [number, number])[] | null {
  const size = rows.length;
  for (let at = 0; at < size; at++) {
    const best = rows.slice(at).reduce((most, row, index) => {
      const largest = Math.abs(rows[most]![at]!);
      return Math.abs(row[at]!) > largest ? at + index : most;
    }, at);
    [rows[at], rows[best]] = [rows[best]!, rows[at]!];
    const pivot = rows[at]![at]!;
    if (Math.abs(pivot) < 1e-9) return null;
    for (let other = 0; other < size; other++) {
      if (other === at) continue;
      const share = rows[other]![at]! / pivot;
      if (share !== 0)
        for (let column = at; column < size + 2; column++) rows[other]![column]! -= share * rows[at]![column]!;
    }
  }
  return rows.map((row, at) => [row[size]! / row[at]!, row[size + 1]! / row[at]!]);
}
