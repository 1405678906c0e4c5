import { useMemo, useState } from "react";
import type { Contour } from "@arcada/imaging/mesh/contour";
import {
  identityTransform,
  invertTransform,
  transformPoint,
  rotate,
  type RigidTransform,
} from "@arcada/imaging/geometry/rigid-transform";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { BoundingBox, ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/image-view";
import {
  createMiddlePlane,
  createPlaneThroughLine,
  getOffsetRange,
  rotatePlane,
  type SectionPlane,
} from "@arcada/imaging/view/section-plane";
import { dot, times, type Vector } from "@arcada/imaging/geometry/vector";
import type { SectionSide, ShownSection } from "../rendering/model-display-settings.ts";
import type { SurfaceTree } from "../mesh/surface-tree.ts";
import type { CameraSubject } from "../rendering/use-model-camera.ts";

/** The named directions of a section: across one of the jaw's own axes. A section may also run freely. */
export const sectionDirections = ["left", "back", "up"] as const;
type SectionDirection = (typeof sectionDirections)[number];

export interface Section {
  /** Null without a section. */
  shown: ShownSection | null;
  /** Null for a plane that was rotated by hand. */
  direction: SectionDirection | null;
  /** Offsets of the plane between which it intersects the models, mm. */
  reach: { least: number; most: number };
  begin: (direction: SectionDirection) => void;
  /** Cuts along a line on the screen, straight into the depth. */
  cut: (camera: ModelCamera, viewport: Size, from: Point2D, to: Point2D) => void;
  moveTo: (offset: number) => void;
  moveBy: (mm: number) => void;
  rotate: (about: Vector, axis: Vector, angle: number) => void;
  flip: () => void;
  setSide: (side: SectionSide) => void;
  end: () => void;
}

interface SectionState {
  plane: SectionPlane;
  direction: SectionDirection | null;
}

/** A plane through the models, and its intersection lines with them. */
export function useSection(
  surfaces: ReadonlyMap<string, SurfaceTree>,
  poses: ReadonlyMap<string, RigidTransform>,
  subject: Pick<CameraSubject, "box" | "frame"> | null,
): Section {
  const box = subject?.box ?? emptyBox;
  const [made, setMade] = useState<SectionState | null>(null);
  const [side, setSide] = useState<SectionSide>("whole");
  const plane = made?.plane ?? null;
  const contours = useContours(surfaces, poses, plane);
  const shown = useMemo(() => plane && { plane, side, contours }, [plane, side, contours]);
  const reach = plane ? getOffsetRange(plane.normal, box) : { least: 0, most: 0 };
  const slide = (change: (offset: number) => number) =>
    setMade((now) => {
      if (!now) return null;
      const { least, most } = getOffsetRange(now.plane.normal, box);
      return { ...now, plane: { ...now.plane, offset: Math.min(most, Math.max(least, change(now.plane.offset))) } };
    });
  const alter = (change: (now: SectionPlane) => SectionState) => setMade((now) => now && change(now.plane));
  return {
    shown,
    direction: made?.direction ?? null,
    reach,
    begin: (direction) =>
      setMade({ plane: createMiddlePlane(subject?.frame[direction] ?? axes[direction], box), direction }),
    cut: (...line) => {
      const cut = createPlaneThroughLine(...line);
      if (cut) setMade({ plane: cut, direction: null });
    },
    moveTo: (offset) => slide(() => offset),
    moveBy: (mm) => slide((now) => now + mm),
    rotate: (about, axis, angle) => alter((now) => ({ plane: rotatePlane(now, about, axis, angle), direction: null })),
    flip: () =>
      setMade((now) => now && { ...now, plane: { normal: times(now.plane.normal, -1), offset: -now.plane.offset } }),
    setSide,
    end: () => setMade(null),
  };
}

const emptyBox: BoundingBox = { min: [0, 0, 0], max: [0, 0, 0] };

const axes: Record<SectionDirection, Vector> = { left: [1, 0, 0], back: [0, 1, 0], up: [0, 0, 1] };

/** Recomputes the contours of models whose surface or pose has changed, or of all if the plane has changed. */
function useContours(
  surfaces: ReadonlyMap<string, SurfaceTree>,
  poses: ReadonlyMap<string, RigidTransform>,
  plane: SectionPlane | null,
): ReadonlyMap<string, readonly Contour[]> {
  const [known] = useState(() => new Map<string, CachedContours>());
  return useMemo(() => {
    const contours = new Map<string, readonly Contour[]>();
    for (const id of known.keys()) if (!surfaces.has(id) || !plane) known.delete(id);
    if (!plane) return contours;
    for (const [id, surface] of surfaces) {
      const pose = poses.get(id) ?? identityTransform;
      const cached = known.get(id);
      const isSame = cached?.surface === surface && cached.pose === pose && cached.plane === plane;
      const lines = isSame ? cached.lines : intersectSurface(surface, pose, plane);
      known.set(id, { surface, pose, plane, lines });
      contours.set(id, lines);
    }
    return contours;
  }, [known, surfaces, poses, plane]);
}

interface CachedContours {
  surface: SurfaceTree;
  pose: RigidTransform;
  plane: SectionPlane;
  lines: readonly Contour[];
}

function intersectSurface(surface: SurfaceTree, pose: RigidTransform, plane: SectionPlane): readonly Contour[] {
  if (pose === identityTransform) return surface.intersectPlane(plane);
  const normal = rotate(invertTransform(pose), plane.normal);
  const shift: Vector = [pose[3], pose[7], pose[11]];
  const own = surface.intersectPlane({ normal, offset: plane.offset - dot(plane.normal, shift) });
  return own.map((contour) => ({ ...contour, points: contour.points.map((point) => transformPoint(pose, point)) }));
}
