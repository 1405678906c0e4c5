import type { CephContent, CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import { normaliseTracing, centreOnMean, landmarkEntries, type LandmarkPoints } from "./normalised-tracing.ts";
import { distance, signedAngle, type Point } from "./plane-geometry.ts";

/** On S–N at S, on the palatal plane at ANS, or where the named landmarks fit best (least squares). */
export type SuperimpositionReference = "skullBase" | "palate" | readonly CephLandmark[];

export interface Superimposition {
  /** Both are placed as the first is, with its Frankfurt plane level (else S–N less 7 degrees). */
  first: LandmarkPoints;
  second: LandmarkPoints;
  /**
   * True: lengths are in mm. False: they are in pixel widths of the first cephalogram, and both were scaled to one
   * size.
   */
  isMm: boolean;
  /** The movement of each landmark: towards the face, downwards, and in total. */
  moved: { landmark: CephLandmark; forward: number; down: number; distance: number }[];
}

/**
 * Superimposes a tracing on an earlier one. Without a scale on both, the second is brought to the first's size by the
 * base structure, and growth of that structure cannot be seen. Null if the base structure is not marked on both.
 */
export function superimpose(
  earlier: CephContent,
  later: CephContent,
  reference: SuperimpositionReference,
): Superimposition | null {
  const [earlierFrame, laterFrame] = [normaliseTracing(earlier), normaliseTracing(later)];
  const isMm = earlierFrame.isMm && laterFrame.isMm;
  const referenceIds: readonly CephLandmark[] =
    reference === "skullBase" ? ["S", "N"] : reference === "palate" ? ["ANS", "PNS"] : reference;
  const shared = referenceIds.filter((id) => earlierFrame.points[id] && laterFrame.points[id]);
  if (shared.length < 2 || (typeof reference === "string" && shared.length < referenceIds.length)) return null;
  const first = levelHead(earlierFrame.points);
  const [destination, source] = [shared.map((id) => first[id]!), shared.map((id) => laterFrame.points[id]!)];
  const isAnchoredAtFirst = typeof reference === "string";
  const transform = fitTransform(source, destination, isMm, isAnchoredAtFirst);
  if (!transform) return null;
  const second = transformPoints(laterFrame.points, transform);
  const moved = landmarkEntries(second).flatMap(([landmark, point]) => {
    const firstPoint = first[landmark];
    if (!firstPoint) return [];
    const [forward, down] = [point[0] - firstPoint[0], point[1] - firstPoint[1]];
    return [{ landmark, forward, down, distance: Math.hypot(forward, down) }];
  });
  return { first, second, isMm, moved };
}

type Transform = (point: Point) => Point;

/**
 * Computes the rotation and shift, and the scale if there is no mm, that fit points onto others; with `isAnchoredAtFirst` the
 * first pair coincides exactly.
 */
function fitTransform(
  source: readonly Point[],
  destination: readonly Point[],
  isMm: boolean,
  isAnchoredAtFirst: boolean,
): Transform | null {
  const align = isAnchoredAtFirst ? (points: readonly Point[]) => translate(points, points[0]!) : centreOnMean;
  const [a, b] = [align(source), align(destination)];
  let [real, imaginary, size] = [0, 0, 0];
  a.forEach(([x, y], index) => {
    const [u, v] = b[index]!;
    real += x * u + y * v;
    imaginary += x * v - y * u;
    size += x * x + y * y;
  });
  const length = Math.hypot(real, imaginary);
  if (length === 0 || size === 0) return null;
  const scale = isMm ? 1 : length / size;
  const [cos, sin] = [(real / length) * scale, (imaginary / length) * scale];
  const [origin, targetOrigin] = [originOf(source, isAnchoredAtFirst), originOf(destination, isAnchoredAtFirst)];
  return ([x, y]) => {
    const [dx, dy] = [x - origin[0], y - origin[1]];
    return [targetOrigin[0] + dx * cos - dy * sin, targetOrigin[1] + dx * sin + dy * cos];
  };
}

const translate = (points: readonly Point[], [x, y]: Point): Point[] => points.map(([px, py]) => [px - x, py - y]);
const originOf = (points: readonly Point[], isAnchoredAtFirst: boolean): Point => {
  if (isAnchoredAtFirst) return points[0]!;
  const [x, y] = points.reduce<Point>(([sx, sy], [px, py]) => [sx + px, sy + py], [0, 0]);
  return [x / points.length, y / points.length];
};

const transformPoints = (points: LandmarkPoints, transform: Transform): LandmarkPoints =>
  Object.fromEntries(landmarkEntries(points).map(([id, point]) => [id, transform(point)]));

/**
 * Returns the points rotated so that the Frankfurt plane is level; without it, so that S–N falls back by the usual 7
 * degrees; without both, unrotated.
 */
export function levelHead(points: LandmarkPoints): LandmarkPoints {
  const { Po, Or, S, N } = points;
  const horizontal: Point = [1, 0];
  const tilt =
    Po && Or && distance(Po, Or) > 0
      ? signedAngle([0, 0], horizontal, Po, Or)
      : S && N && distance(S, N) > 0
        ? signedAngle([0, 0], horizontal, S, N) + 7
        : 0;
  const [cos, sin] = [Math.cos((tilt * Math.PI) / 180), Math.sin((tilt * Math.PI) / 180)];
  return transformPoints(points, ([x, y]) => [x * cos + y * sin, y * cos - x * sin]);
}
