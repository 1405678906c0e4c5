import { distance, lengthOf, minus, plus, times, type Vector } from "../geometry/vector.ts";

/** A smooth line of patient space, walked by its length in mm: equal steps of `step` mm from end to end. */
export interface SmoothLine {
  points: readonly Vector[];
  step: number;
  length: number;
}

/**
 * The smooth line through control points (patient LPS, mm; two at least): Catmull-Rom in its centripetal form, which
 * makes no loops where points lie unevenly. Source: Yuksel, Schaefer, Keyser, "On the Parameterization of
 * Catmull-Rom Curves", 2009.
 * @param mm the most between two samples
 */
export function createSmoothLine(control: readonly Vector[], mm: number): SmoothLine {
  const set = control.filter((point, at) => at === 0 || distance(point, control[at - 1]) > 1e-6);
  const dense = set.length < 3 ? set : interpolateThrough(set);
  const lengths = dense.map(() => 0);
  for (let at = 1; at < dense.length; at++) lengths[at] = lengths[at - 1] + distance(dense[at - 1], dense[at]);
  const length = lengths.at(-1) ?? 0;
  if (length === 0) return { points: set, step: 0, length };
  const count = Math.ceil(length / mm);
  const step = length / count;
  return { points: resampleEvenly(dense, lengths, step, count), step, length };
}

const samplesPerSegment = 48;

function interpolateThrough(set: readonly Vector[]): Vector[] {
  const [first, second] = [set[0], set[1]];
  const [last, before] = [set.at(-1)!, set.at(-2)!];
  const all = [mirrorPoint(second, first), ...set, mirrorPoint(before, last)];
  const out: Vector[] = [first];
  for (let at = 1; at + 2 < all.length; at++) {
    const segment = createSegment(all[at - 1], all[at], all[at + 1], all[at + 2]);
    for (let i = 1; i <= samplesPerSegment; i++) out.push(segment(i / samplesPerSegment));
  }
  return out;
}

const mirrorPoint = (point: Vector, at: Vector): Vector => minus(times(at, 2), point);

/** From `b` to `c` for t from 0 to 1. */
function createSegment(a: Vector, b: Vector, c: Vector, d: Vector): (t: number) => Vector {
  const [ab, bc, cd] = [Math.sqrt(distance(a, b)), Math.sqrt(distance(b, c)), Math.sqrt(distance(c, d))];
  const slope = (from: Vector, middle: Vector, to: Vector, before: number, after: number): Vector =>
    times(
      plus(
        minus(times(minus(middle, from), 1 / before), times(minus(to, from), 1 / (before + after))),
        times(minus(to, middle), 1 / after),
      ),
      bc,
    );
  const [start, end] = [slope(a, b, c, ab, bc), slope(b, c, d, bc, cd)];
  return (t) => {
    const [t2, t3] = [t * t, t * t * t];
    return plus(
      plus(times(b, 2 * t3 - 3 * t2 + 1), times(start, t3 - 2 * t2 + t)),
      plus(times(c, 3 * t2 - 2 * t3), times(end, t3 - t2)),
    );
  };
}

function resampleEvenly(dense: readonly Vector[], lengths: readonly number[], step: number, count: number): Vector[] {
  let at = 1;
  return Array.from({ length: count + 1 }, (_, index): Vector => {
    const wanted = index * step;
    while (at < dense.length - 1 && lengths[at] < wanted) at++;
    const [low, high] = [lengths[at - 1], lengths[at]];
    const share = Math.min(1, Math.max(0, (wanted - low) / (high - low)));
    return plus(times(dense[at - 1], 1 - share), times(dense[at], share));
  });
}

/** The unit vector from one point to another. */
export function getDirection(from: Vector, to: Vector): Vector {
  const direction = minus(to, from);
  return times(direction, 1 / (lengthOf(direction) || 1));
}
