import { cutOf, outlineOf, rimsOf, type Body, type Tube } from "@arcada/imaging/arch/body";
import type { NearestPlaces } from "@arcada/imaging/arch/nearest-places";
import { patientToWall, wallToPatient, type ArchPath } from "@arcada/imaging/arch/path";
import { rootCut, rootSurface, type Root } from "@arcada/imaging/arch/root";
import type { Spot } from "@arcada/imaging/view/measure";
import { distance, dot, minus, plus, times, type Vector } from "@arcada/imaging/view/vector";
import type { MarkSpace } from "../use-plane-marks.ts";

/** The projection of planned objects in the patient onto a viewport. */
export interface PlanView {
  toPane: (point: Vector) => Spot;
  /**
   * Returns the point after a drag to a position on the screen: it keeps its distance in front of or behind the screen.
   */
  taken: (point: Vector, to: Spot) => Vector;
  /** CSS pixels per mm. */
  scale: number;
  outline: (body: Body) => Spot[];
  rootOutline: (root: Root) => Spot[];
  /** Both ends of a distance; null if it is too far in front of or behind the shown plane. */
  ends: (gap: NearestPlaces) => readonly [Spot, Spot] | null;
  /** The visible parts of a tube, as discs in pixels. */
  discs: (tube: Tube) => { at: Spot; radius: number }[];
  /** True if a point is near enough to be grabbed. */
  isNear: (point: Vector) => boolean;
}

/** mm */
const near = 2;
/** mm in front of or behind a plane up to which a distance is drawn in it. */
const nearGap = 4;

/** The projection onto a plane, which shows only what it cuts. */
export function planeSight({ plane, toPane, toPatient }: MarkSpace): PlanView {
  const on = toPatient([0, 0]);
  const scale = 1 / distance(on, toPatient([1, 0]));
  const before = (point: Vector): number => dot(minus(point, on), plane.away);
  return {
    toPane,
    scale,
    taken: (point, to) => plus(toPatient(to), times(plane.away, before(point))),
    outline: (body) => outlineOf(cutOf(body, on, plane.away).map(toPane)),
    rootOutline: (root) => outlineOf(rootCut(root, on, plane.away).map(toPane)),
    ends: ({ from, to }) =>
      Math.min(Math.abs(before(from)), Math.abs(before(to))) < nearGap ? [toPane(from), toPane(to)] : null,
    discs: ({ line, radius }) =>
      line.points.flatMap((point) => {
        const square = radius ** 2 - before(point) ** 2;
        return square > 0 ? [{ at: toPane(point), radius: Math.sqrt(square) * scale }] : [];
      }),
    isNear: (point) => Math.abs(before(point)) < near,
  };
}

/** The projection onto the panorama, which shows everything along it. */
export function wallSight({ toPane, toPatient }: MarkSpace, wall: ArchPath, scale: number): PlanView {
  return {
    toPane,
    scale,
    taken: (point, to) => {
      const { along, height } = patientToWall(wall, toPatient(to));
      return wallToPatient(wall, { along, height, out: patientToWall(wall, point).out });
    },
    outline: (body) => outlineOf(rimsOf(body).flat().map(toPane)),
    rootOutline: (root) => outlineOf(rootSurface(root).map(toPane)),
    ends: ({ from, to }) => [toPane(from), toPane(to)],
    discs: ({ line, radius }) =>
      line.points.filter((_, at) => at % 2 === 0).map((point) => ({ at: toPane(point), radius: radius * scale })),
    isNear: () => true,
  };
}
