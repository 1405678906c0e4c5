/** Small functions to build shapes from distances (negative inside), all in mm. */

export const clamp = (value: number, low: number, high: number): number =>
  value < low ? low : value > high ? high : value;

export const mix = (a: number, b: number, t: number): number => a + (b - a) * t;

/** 0 below `low`, 1 above `high`, smooth between. */
export function smoothStep(low: number, high: number, value: number): number {
  const t = clamp((value - low) / (high - low), 0, 1);
  return t * t * (3 - 2 * t);
}

/** The union of two shapes with a fillet of about `radius`. */
export function smoothUnion(a: number, b: number, radius: number): number {
  const h = Math.max(radius - Math.abs(a - b), 0) / radius;
  return Math.min(a, b) - h * h * radius * 0.25;
}

/** The intersection of two shapes, with the edge rounded by about `radius`. */
export const smoothIntersection = (a: number, b: number, radius: number): number => -smoothUnion(-a, -b, radius);

/** A value between given knots (x ascending), constant outside. */
export function interpolateKnots(knots: readonly (readonly [number, number])[], x: number): number {
  if (x <= knots[0][0]) return knots[0][1];
  for (let i = 1; i < knots.length; i++) {
    if (x > knots[i][0]) continue;
    const [[x0, y0], [x1, y1]] = [knots[i - 1], knots[i]];
    return mix(y0, y1, (x - x0) / (x1 - x0));
  }
  return knots[knots.length - 1][1];
}

export type Point2 = readonly [number, number];

/**
 * Returns a smooth curve through the points (centripetal enough for evenly spaced ones): Catmull-Rom, `steps` segments
 * between two.
 */
export function createSpline(points: readonly Point2[], steps: number): Point2[] {
  const curve: Point2[] = [];
  const at = (i: number): Point2 => points[clamp(i, 0, points.length - 1)];
  for (let i = 0; i + 1 < points.length; i++) {
    for (let k = 0; k < steps; k++) {
      const t = k / steps;
      curve.push(
        [0, 1].map((axis) =>
          interpolateHermite([at(i - 1)[axis], at(i)[axis], at(i + 1)[axis], at(i + 2)[axis]], t),
        ) as unknown as Point2,
      );
    }
  }
  curve.push(at(points.length - 1));
  return curve;
}

function interpolateHermite([a, b, c, d]: readonly number[], t: number): number {
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/**
 * Distance to a chain of points.
 * @param limit distances of this and more may be returned as `limit`: distant points cost nothing
 */
export function distanceToChain(chain: Chain, x: number, y: number, limit = Infinity): number {
  const flat = getFlatChain(chain);
  return isFar(flat, x, y, limit) ? limit : Math.min(limit, findNearestSegment(flat, x, y, chain.length - 1));
}

/** Distance to the edge of a closed outline, negative inside; `limit` as for a chain, for the outside alone. */
export function distanceToOutline(outline: Chain, x: number, y: number, limit = Infinity): number {
  const flat = getFlatChain(outline);
  if (isFar(flat, x, y, limit)) return limit;
  const { xs, ys } = flat;
  let inside = false;
  for (let i = 0; i < outline.length; i++) {
    if (ys[i] > y !== ys[i + 1] > y && x < ((xs[i + 1] - xs[i]) * (y - ys[i])) / (ys[i + 1] - ys[i]) + xs[i])
      inside = !inside;
  }
  const distance = findNearestSegment(flat, x, y, outline.length);
  return inside ? -distance : Math.min(limit, distance);
}

export type Chain = readonly Point2[];

/** The points in plain arrays, the first again behind the last, with the box around them. */
type FlatChain = { xs: Float64Array; ys: Float64Array; left: number; right: number; bottom: number; top: number };

const flatChainCache = new WeakMap<Chain, FlatChain>();

function getFlatChain(chain: Chain): FlatChain {
  const known = flatChainCache.get(chain);
  if (known) return known;
  const xs = Float64Array.from([...chain, chain[0]], ([x]) => x);
  const ys = Float64Array.from([...chain, chain[0]], ([, y]) => y);
  const flat = { xs, ys, left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys) };
  flatChainCache.set(chain, flat);
  return flat;
}

const isFar = ({ left, right, bottom, top }: FlatChain, x: number, y: number, limit: number): boolean =>
  x < left - limit || x > right + limit || y < bottom - limit || y > top + limit;

// Plain numbers and no arrays: images call this a hundred million times.
function findNearestSegment({ xs, ys }: FlatChain, x: number, y: number, segments: number): number {
  let best = Infinity;
  for (let i = 0; i < segments; i++) {
    const ax = x - xs[i];
    const ay = y - ys[i];
    const dx = xs[i + 1] - xs[i];
    const dy = ys[i + 1] - ys[i];
    const along = ax * dx + ay * dy;
    const square = dx * dx + dy * dy;
    const t = along <= 0 ? 0 : along >= square ? 1 : along / square;
    const ex = ax - t * dx;
    const ey = ay - t * dy;
    const distance = ex * ex + ey * ey;
    if (distance < best) best = distance;
  }
  return Math.sqrt(best);
}

/** The one for which the measure is least. */
export function findSmallest<T>(list: readonly T[], measure: (one: T) => number): T {
  let best = list[0];
  let least = Infinity;
  for (const one of list) {
    const value = measure(one);
    if (value >= least) continue;
    least = value;
    best = one;
  }
  return best;
}
