/** A point with x to the face and y downwards, as on a cephalogram with the face on the right. */
export type Point = readonly [x: number, y: number];

const degreesPerRadian = 180 / Math.PI;
const subtract = ([ax, ay]: Point, [bx, by]: Point): Point => [bx - ax, by - ay];
const cross = ([ax, ay]: Point, [bx, by]: Point): number => ax * by - ay * bx;
const dot = ([ax, ay]: Point, [bx, by]: Point): number => ax * bx + ay * by;

/** The angle at `b` between `a` and `c`, 0 to 180 degrees. */
export const angleAt = (a: Point, b: Point, c: Point): number =>
  Math.atan2(Math.abs(cross(subtract(b, a), subtract(b, c))), dot(subtract(b, a), subtract(b, c))) * degreesPerRadian;

/** The clockwise angle from the direction `p` to `q` to the direction `r` to `s`, above -180 to 180 degrees. */
export const signedAngle = (p: Point, q: Point, r: Point, s: Point): number =>
  Math.atan2(cross(subtract(p, q), subtract(r, s)), dot(subtract(p, q), subtract(r, s))) * degreesPerRadian;

/** As `signedAngle`, 0 to below 360 degrees: for angles that may be more than straight. */
export const fullAngle = (p: Point, q: Point, r: Point, s: Point): number => (signedAngle(p, q, r, s) + 360) % 360;

export const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(bx - ax, by - ay);

/**
 * The distance of `p` from the line from `a` to `b`; positive on the face's side of a line that goes down, and above
 * one that goes forward.
 */
export const signedDistanceToLine = (p: Point, a: Point, b: Point): number =>
  -cross(subtract(a, b), subtract(a, p)) / distance(a, b);

/** The distance of `p` from `a`, measured in the direction of `b`. */
export const distanceAlong = (p: Point, a: Point, b: Point): number =>
  dot(subtract(a, b), subtract(a, p)) / distance(a, b);

export const midpoint = ([ax, ay]: Point, [bx, by]: Point): Point => [(ax + bx) / 2, (ay + by) / 2];
