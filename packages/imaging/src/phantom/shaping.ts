/** Small functions to build shapes from distances (negative inside), all in mm. */

export const clamp = (value: number, low: number, high: number): number => (value < low ? low : value > high ? high : value);

export const mix = (a: number, b: number, t: number): number => a + (b - a) * t;

/** 0 below `low`, 1 above `high`, smooth between. */
export function step(low: number, high: number, value: number): number {
  const t = clamp((value - low) / (high - low), 0, 1);
  return t * t * (3 - 2 * t);
}

/** The union of two shapes with a fillet of about `radius`. */
export function joined(a: number, b: number, radius: number): number {
  const h = Math.max(radius - Math.abs(a - b), 0) / radius;
  return Math.min(a, b) - h * h * radius * 0.25;
}

/** What two shapes share, the edge rounded by about `radius`. */
export const shared = (a: number, b: number, radius: number): number => -joined(-a, -b, radius);

/** A value between given knots (x ascending), constant outside. */
export function along(knots: readonly (readonly [number, number])[], x: number): number {
  if (x <= knots[0][0]) return knots[0][1];
  for (let i = 1; i < knots.length; i++) {
    if (x > knots[i][0]) continue;
    const [[x0, y0], [x1, y1]] = [knots[i - 1], knots[i]];
    return mix(y0, y1, (x - x0) / (x1 - x0));
  }
  return knots[knots.length - 1][1];
}

export type Point2 = readonly [number, number];

/** A smooth curve through the points (centripetal enough for evenly set ones): Catmull-Rom, `steps` pieces between two. */
export function spline(points: readonly Point2[], steps: number): Point2[] {
  const curve: Point2[] = [];
  const at = (i: number): Point2 => points[clamp(i, 0, points.length - 1)];
  for (let i = 0; i + 1 < points.length; i++) {
    for (let k = 0; k < steps; k++) {
      const t = k / steps;
      curve.push([0, 1].map((axis) => hermite([at(i - 1)[axis], at(i)[axis], at(i + 1)[axis], at(i + 2)[axis]], t)) as unknown as Point2);
    }
  }
  curve.push(at(points.length - 1));
  return curve;
}

function hermite([a, b, c, d]: readonly number[], t: number): number {
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/** Distance to a chain of points. */
export function chainDistance(chain: readonly Point2[], x: number, y: number): number {
  let best = Infinity;
  for (let i = 0; i + 1 < chain.length; i++) {
    const [ax, ay] = chain[i];
    const [dx, dy] = [chain[i + 1][0] - ax, chain[i + 1][1] - ay];
    const t = clamp(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1), 0, 1);
    const [ex, ey] = [x - ax - t * dx, y - ay - t * dy];
    const square = ex * ex + ey * ey;
    if (square < best) best = square;
  }
  return Math.sqrt(best);
}

/** Distance to the edge of a closed outline, negative inside. */
export function outlineDistance(outline: readonly Point2[], x: number, y: number): number {
  let inside = false;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const [[xi, yi], [xj, yj]] = [outline[i], outline[j]];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  const distance = chainDistance([...outline, outline[0]], x, y);
  return inside ? -distance : distance;
}

/** Rough distance to an ellipse or ellipsoid given in units of its radii, negative inside. */
export const ellipseDistance = (unitRadius: number, smallest: number): number => (unitRadius - 1) * smallest;

/** The one for which the measure is least. */
export function smallest<T>(list: readonly T[], measure: (one: T) => number): T {
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
