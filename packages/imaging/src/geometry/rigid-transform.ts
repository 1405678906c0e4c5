import type { Vector } from "./vector.ts";

/** A rigid movement of space in mm: three rows of a rotation and a shift, [r00, r01, r02, x, r10, …, z]. */
export type RigidTransform = readonly [...row0: Row, ...row1: Row, ...row2: Row];
type Row = [number, number, number, number];

export const identityTransform: RigidTransform = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

export const transformPoint = (m: RigidTransform, [x, y, z]: Vector): Vector => [
  m[0] * x + m[1] * y + m[2] * z + m[3],
  m[4] * x + m[5] * y + m[6] * z + m[7],
  m[8] * x + m[9] * y + m[10] * z + m[11],
];

/** A direction: turned, not shifted. */
export const rotate = (m: RigidTransform, [x, y, z]: Vector): Vector => [
  m[0] * x + m[1] * y + m[2] * z,
  m[4] * x + m[5] * y + m[6] * z,
  m[8] * x + m[9] * y + m[10] * z,
];

/** First `first`, then `then`. */
export function compose(second: RigidTransform, first: RigidTransform): RigidTransform {
  const column = (at: 0 | 1 | 2) => rotate(second, [first[at], first[4 + at]!, first[8 + at]!] as unknown as Vector);
  const [a, b, c] = [column(0), column(1), column(2)];
  const d = transformPoint(second, [first[3], first[7], first[11]]);
  return [a[0], b[0], c[0], d[0], a[1], b[1], c[1], d[1], a[2], b[2], c[2], d[2]];
}

/** The movement back. */
export function invertTransform(m: RigidTransform): RigidTransform {
  const back: RigidTransform = [m[0], m[4], m[8], 0, m[1], m[5], m[9], 0, m[2], m[6], m[10], 0];
  const [x, y, z] = rotate(back, [m[3], m[7], m[11]]);
  return [m[0], m[4], m[8], -x, m[1], m[5], m[9], -y, m[2], m[6], m[10], -z];
}

/** Returns the rotation angle of a rigid transform, in degrees. */
export const getRotationAngle = (m: RigidTransform): number =>
  (Math.acos(Math.min(1, Math.max(-1, (m[0] + m[5] + m[10] - 1) / 2))) * 180) / Math.PI;
