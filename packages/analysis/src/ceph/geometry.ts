/** A point with x to the face and y downwards, as on a cephalogram with the face on the right. */
export type Place = readonly [x: number, y: number];

const degrees = 180 / Math.PI;
const from = ([ax, ay]: Place, [bx, by]: Place): Place => [bx - ax, by - ay];
const cross = ([ax, ay]: Place, [bx, by]: Place): number => ax * by - ay * bx;
const dot = ([ax, ay]: Place, [bx, by]: Place): number => ax * bx + ay * by;

/** The angle at `b` between `a` and `c`, 0 to 180 degrees. */
export const angle3 = (a: Place, b: Place, c: Place): number =>
  Math.atan2(Math.abs(cross(from(b, a), from(b, c))), dot(from(b, a), from(b, c))) * degrees;

/** The clockwise angle from the direction `p` to `q` to the direction `r` to `s`, above -180 to 180 degrees. */
export const turn = (p: Place, q: Place, r: Place, s: Place): number =>
  Math.atan2(cross(from(p, q), from(r, s)), dot(from(p, q), from(r, s))) * degrees;

/** As `turn`, 0 to below 360 degrees: for angles that may be more than straight. */
export const wholeTurn = (p: Place, q: Place, r: Place, s: Place): number => (turn(p, q, r, s) + 360) % 360;

export const distance = ([ax, ay]: Place, [bx, by]: Place): number => Math.hypot(bx - ax, by - ay);

/**
 * The distance of `p` from the line from `a` to `b`; positive on the face's side of a line that goes down, and above
 * one that goes forward.
 */
export const off = (p: Place, a: Place, b: Place): number => -cross(from(a, b), from(a, p)) / distance(a, b);

/** The distance of `p` from `a`, measured in the direction of `b`. */
export const along = (p: Place, a: Place, b: Place): number => dot(from(a, b), from(a, p)) / distance(a, b);

export const middle = ([ax, ay]: Place, [bx, by]: Place): Place => [(ax + bx) / 2, (ay + by) / 2];
