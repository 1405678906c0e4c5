import type { Point } from "../ceph/plane-geometry.ts";
import { solveLinearSystem } from "../ceph/linear-system.ts";
import { edgeAt, lineAt, type EdgeMap } from "./edge-map.ts";
import { normalOf, placePoint, type HeadPlacement } from "./head-placement.ts";
import { contourPoints, modeCount, type ContourPoint } from "./head-shape.ts";

/** The derivatives of one image in which dense is bright, of its values and of their logarithm. */
export interface HeadMaps {
  bone: EdgeMap;
  skin: EdgeMap;
}

/** mm by which a line that was found deviates from the contour of the true head, as a standard deviation. */
const observationError = 1.6;
/** A mode is not believed beyond this many standard deviations. */
const maxDeviation = 2.5;
const poseCount = 4;

/**
 * Moves and bends the head step by step towards the lines of the image nearby: an active shape model (Cootes 1995). Each
 * contour point looks along its normal for the strongest line within `reaches` (mm, one round each); pose and build
 * follow by least squares, with the modes' standard deviations as the prior.
 */
export function refinePlacement(maps: HeadMaps, placement: HeadPlacement, reaches: readonly number[]): HeadPlacement {
  let current = placement;
  for (const reach of reaches) current = stepTowards(maps, current, reach);
  return current;
}

/** The mean strength of the head's lines at their places, without those outside the image. */
export function scorePlacement(maps: HeadMaps, placement: HeadPlacement): number {
  let [sum, total] = [0, 0];
  for (const point of contourPoints) {
    const [x, y] = placePoint(placement, point);
    const [nx, ny] = normalOf(placement, point);
    const isInside = x > 1 && y > 1 && x < maps.bone.columns - 2 && y < maps.bone.rows - 2;
    // A part of the head outside the image says nothing, yet a head mostly outside is none.
    total += isInside ? point.weight : 0.5 * point.weight;
    let best = 0;
    for (let offset = -1; offset <= 1; offset++)
      best = Math.max(best, responseAt(maps, point, x + offset * nx, y + offset * ny, nx, ny));
    sum += point.weight * best;
  }
  const unusual = placement.build.reduce((all, value) => all + value * value, 0) / modeCount;
  return sum / total - 0.01 * unusual;
}

function responseAt(
  maps: HeadMaps,
  { brightSide, part }: ContourPoint,
  x: number,
  y: number,
  nx: number,
  ny: number,
): number {
  if (brightSide === "line") return lineAt(maps.bone, x, y, nx, ny);
  return edgeAt(part === "skin" ? maps.skin : maps.bone, x, y, nx, ny);
}

function stepTowards(maps: HeadMaps, placement: HeadPlacement, reach: number): HeadPlacement {
  const size = poseCount + modeCount;
  const normal = Array.from({ length: size }, () => new Float64Array(size));
  const right = new Float64Array(size);
  for (const point of contourPoints) {
    const found = findLine(maps, placement, point, reach);
    if (!found) continue;
    const row = derivativesOf(placement, point, found.normal);
    const { weight, offset } = found;
    for (let a = 0; a < size; a++) {
      if (row[a] === 0) continue;
      right[a]! += weight * row[a]! * offset;
      for (let b = 0; b < size; b++) normal[a]![b]! += weight * row[a]! * row[b]!;
    }
  }
  placement.build.forEach((value, mode) => {
    normal[poseCount + mode]![poseCount + mode]! += 1;
    right[poseCount + mode]! -= value;
  });
  for (let pose = 0; pose < poseCount; pose++) normal[pose]![pose]! += 1e-6;
  const change = solveLinearSystem(Array.from({ length: size }, (_, at) => [...normal[at]!, right[at]!, 0]));
  if (!change) return placement;
  const by = (at: number): number => change[at]![0];
  return {
    ...placement,
    x: placement.x + by(0),
    y: placement.y + by(1),
    angle: placement.angle + Math.max(-0.15, Math.min(0.15, by(2))),
    scale: placement.scale * Math.exp(Math.max(-0.1, Math.min(0.1, by(3)))),
    build: placement.build.map((value, mode) =>
      Math.max(-maxDeviation, Math.min(maxDeviation, value + by(poseCount + mode))),
    ),
  };
}

/** The strongest line across the normal within reach; nearer ones are preferred. */
function findLine(
  maps: HeadMaps,
  placement: HeadPlacement,
  point: ContourPoint,
  reach: number,
): { offset: number; weight: number; normal: Point } | null {
  const [x, y] = placePoint(placement, point);
  const [nx, ny] = normalOf(placement, point);
  const far = Math.max(1.5, reach * placement.scale);
  let [best, offset, response] = [0.05, 0, 0];
  for (let at = -far; at <= far; at += 0.5) {
    const strength = responseAt(maps, point, x + at * nx, y + at * ny, nx, ny);
    const value = strength - 0.25 * (at / far) ** 2;
    if (value > best) [best, offset, response] = [value, at, strength];
  }
  if (response === 0) return null;
  const error = (observationError + 0.25 * reach) * placement.scale;
  return { offset, weight: (point.weight * response) / error ** 2, normal: [nx, ny] };
}

/** The movement along the normal by a unit of each parameter: x, y, angle, logarithm of the scale, the modes. */
function derivativesOf(placement: HeadPlacement, point: ContourPoint, [nx, ny]: Point): Float64Array {
  const row = new Float64Array(poseCount + modeCount);
  const [x, y] = placePoint(placement, point);
  const [dx, dy] = [x - placement.x, y - placement.y];
  row[0] = nx;
  row[1] = ny;
  row[2] = -dy * nx + dx * ny;
  row[3] = dx * nx + dy * ny;
  const [cos, sin] = [Math.cos(placement.angle) * placement.scale, Math.sin(placement.angle) * placement.scale];
  point.modes.forEach(([mx, my], mode) => {
    const u = placement.side * mx;
    row[poseCount + mode] = (cos * u - sin * my) * nx + (sin * u + cos * my) * ny;
  });
  return row;
}
