import {
  createCurvedSurface,
  patientToCurvedSurface,
  measureCurvedLength,
  type CurvedSurface,
  type CurvedSurfacePoint,
} from "@arcada/imaging/arch/curved-surface";
import { measureSpatialAngle, measureSpatialLineAngle } from "@arcada/imaging/view/measure-lengths-angles";
import { toVector, type Vector } from "@arcada/imaging/geometry/vector";
import type { Ruler } from "../../../annotations/annotation-kind-types.ts";

/** Measures on the unrolled curved surface: lengths along the stroke in the patient, angles as displayed. */
export function createPanoramaRuler(
  path: CurvedSurface,
  points: readonly Vector[],
): Pick<Ruler, "length" | "angle" | "lineAngle"> {
  const depth = points.reduce((sum, point) => sum + patientToCurvedSurface(path, point).out / points.length, 0);
  const curvedSurface =
    Math.abs(depth) < 0.05 ? path : (createCurvedSurface(path.points.filter(isControlPoint), path.up, depth) ?? path);
  const toUnrolled = (point: readonly number[]): Vector =>
    unroll(patientToCurvedSurface(curvedSurface, toVector(point)));
  return {
    length: (a, b) => ({ value: measureCurvedLength(path, toVector(a), toVector(b)), unit: "mmAlong" }),
    angle: (a, corner, b) => measureSpatialAngle(toUnrolled(a), toUnrolled(corner), toUnrolled(b)),
    lineAngle: (a, b, c, d) => measureSpatialLineAngle(toUnrolled(a), toUnrolled(b), toUnrolled(c), toUnrolled(d)),
  };
}

const isControlPoint = (_: Vector, at: number, all: readonly Vector[]): boolean =>
  at % 8 === 0 || at === all.length - 1;

const unroll = ({ along, height }: CurvedSurfacePoint): Vector => [along, height, 0];
