import {
  cutBody,
  computeConvexHull,
  sampleRims,
  type ImplantBody,
  type NerveCanal,
} from "@arcada/imaging/implant/implant-body";
import type { NearestPoints } from "@arcada/imaging/implant/convex-shape-distance";
import {
  patientToCurvedSurface,
  curvedSurfaceToPatient,
  type CurvedSurface,
} from "@arcada/imaging/arch/curved-surface";
import { cutRoot, sampleRootSurface, type ToothRoot } from "@arcada/imaging/implant/tooth-root";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { distance, dot, minus, plus, times, type Vector } from "@arcada/imaging/geometry/vector";
import type { ViewportSpace } from "../../annotations/use-plane-annotations.ts";

/** The projection of planned objects in the patient onto a viewport. */
export interface PlanProjection {
  toViewport: (point: Vector) => Point2D;
  /**
   * Returns the point after a drag to a position on the screen: it keeps its distance in front of or behind the screen.
   */
  dragPoint: (point: Vector, to: Point2D) => Vector;
  /** CSS pixels per mm. */
  scale: number;
  outline: (body: ImplantBody) => Point2D[];
  rootOutline: (root: ToothRoot) => Point2D[];
  /** Both ends of a distance; null if it is too far in front of or behind the shown plane. */
  lineEnds: (gap: NearestPoints) => readonly [Point2D, Point2D] | null;
  /** The visible parts of a tube, as discs in pixels. */
  discs: (tube: NerveCanal) => { at: Point2D; radius: number }[];
  /** True if a point is near enough to be grabbed. */
  isNear: (point: Vector) => boolean;
}

/** mm */
const nearMm = 2;
/** mm in front of or behind a plane up to which a distance is drawn in it. */
const nearDistanceMm = 4;

/** The projection onto a plane, which shows only what it cuts. */
export function createPlaneProjection({ plane, toViewport, toPatient }: ViewportSpace): PlanProjection {
  const origin = toPatient([0, 0]);
  const scale = 1 / distance(origin, toPatient([1, 0]));
  const depthAt = (point: Vector): number => dot(minus(point, origin), plane.away);
  return {
    toViewport,
    scale,
    dragPoint: (point, to) => plus(toPatient(to), times(plane.away, depthAt(point))),
    outline: (body) => computeConvexHull(cutBody(body, origin, plane.away).map(toViewport)),
    rootOutline: (root) => computeConvexHull(cutRoot(root, origin, plane.away).map(toViewport)),
    lineEnds: ({ from, to }) =>
      Math.min(Math.abs(depthAt(from)), Math.abs(depthAt(to))) < nearDistanceMm
        ? [toViewport(from), toViewport(to)]
        : null,
    discs: ({ line, radius }) =>
      line.points.flatMap((point) => {
        const square = radius ** 2 - depthAt(point) ** 2;
        return square > 0 ? [{ at: toViewport(point), radius: Math.sqrt(square) * scale }] : [];
      }),
    isNear: (point) => Math.abs(depthAt(point)) < nearMm,
  };
}

/** The projection onto the panorama, which shows everything along it. */
export function createPanoramaProjection(
  { toViewport, toPatient }: ViewportSpace,
  curvedSurface: CurvedSurface,
  scale: number,
): PlanProjection {
  return {
    toViewport,
    scale,
    dragPoint: (point, to) => {
      const { along, height } = patientToCurvedSurface(curvedSurface, toPatient(to));
      return curvedSurfaceToPatient(curvedSurface, {
        along,
        height,
        out: patientToCurvedSurface(curvedSurface, point).out,
      });
    },
    outline: (body) => computeConvexHull(sampleRims(body).flat().map(toViewport)),
    rootOutline: (root) => computeConvexHull(sampleRootSurface(root).map(toViewport)),
    lineEnds: ({ from, to }) => [toViewport(from), toViewport(to)],
    discs: ({ line, radius }) =>
      line.points.filter((_, at) => at % 2 === 0).map((point) => ({ at: toViewport(point), radius: radius * scale })),
    isNear: () => true,
  };
}
