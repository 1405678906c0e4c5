/** x, y, z; in patient space DICOM LPS, mm. */
export type Vector = readonly [x: number, y: number, z: number];

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

export const times = (a: Vector, factor: number): Vector => [a[0] * factor, a[1] * factor, a[2] * factor];

/** Math.hypot takes many times longer; it only helps with numbers whose squares overflow or underflow. */
export const lengthOf = (a: Vector): number => Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);

export const distance = (a: Vector, b: Vector): number => lengthOf(minus(a, b));

export const toVector = ([x = 0, y = 0, z = 0]: readonly number[]): Vector => [x, y, z];

/** The same direction, 1 long; zero stays zero. */
export const normalize = (a: Vector): Vector => times(a, 1 / (lengthOf(a) || 1));

/** Rotates about an axis of length 1, by radians, with Rodrigues' formula. */
export function rotateVector(a: Vector, axis: Vector, angle: number): Vector {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return plus(plus(times(a, cos), times(cross(axis, a), sin)), times(axis, dot(axis, a) * (1 - cos)));
}
