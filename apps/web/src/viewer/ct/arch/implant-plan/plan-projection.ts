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
  sampleCurvedSurface,
  type CurvedSurface,
} from "@arcada/imaging/arch/curved-surface";
import { cutRoot, sampleRootSilhouette, type ToothRoot } from "@arcada/imaging/implant/tooth-root";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { outlineInPlane } from "@arcada/imaging/jaws/outline-in-plane";
import type { JawBody } from "@arcada/imaging/jaws/segment-jaws";
import { cornersOf } from "@arcada/imaging/volume/volume-geometry";
import { distance, dot, lengthOf, minus, plus, times, type Vector } from "@arcada/imaging/geometry/vector";
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
  /** The line in which the shown plane cuts a body, as pieces; none where the view is no plane. */
  solidOutline: (body: JawBody) => [Point2D, Point2D][];
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
    solidOutline: (body) => outlineSolid(body, { toViewport, toPatient }),
    isNear: (point) => Math.abs(depthAt(point)) < nearMm,
  };
}

/** mm between the points at which a body is looked up: its voxels are about as large. */
const latticeStep = 0.8;

/** Looks a body up in the part of a viewport in which its box may be. */
function outlineSolid(
  body: JawBody,
  { toViewport, toPatient }: Pick<ViewportSpace, "toViewport" | "toPatient">,
): [Point2D, Point2D][] {
  const corners = cornersOf(body.info).map(toViewport);
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const pixels = latticeStep / lengthOf(minus(toPatient([1, 0]), toPatient([0, 0])));
  // One step beyond the outermost middles of voxels, so that the line closes around the body.
  const [left, top] = [Math.min(...xs) - pixels, Math.min(...ys) - pixels];
  const [right, bottom] = [Math.max(...xs) + pixels, Math.max(...ys) + pixels];
  const from = toPatient([left, top]);
  const [across, down] = [minus(toPatient([left + 1, top]), from), minus(toPatient([left, top + 1]), from)];
  const lattice = {
    from,
    across: times(across, pixels),
    down: times(down, pixels),
    columns: Math.ceil((right - left) / pixels) + 1,
    rows: Math.ceil((bottom - top) / pixels) + 1,
  };
  const toPixel = ([column, row]: Point2D): Point2D => [
    Math.round((left + column * pixels) * 10) / 10,
    Math.round((top + row * pixels) * 10) / 10,
  ];
  return outlineInPlane(body, lattice).map(([one, other]) => [toPixel(one), toPixel(other)]);
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
    rootOutline: (root) => {
      const { along } = patientToCurvedSurface(curvedSurface, times(plus(root.neck, root.apex), 0.5));
      const { normal } = sampleCurvedSurface(curvedSurface, along);
      return computeConvexHull(sampleRootSilhouette(root, normal).map(toViewport));
    },
    lineEnds: ({ from, to }) => [toViewport(from), toViewport(to)],
    discs: ({ line, radius }) =>
      line.points.filter((_, at) => at % 2 === 0).map((point) => ({ at: toViewport(point), radius: radius * scale })),
    solidOutline: () => [],
    isNear: () => true,
  };
}
