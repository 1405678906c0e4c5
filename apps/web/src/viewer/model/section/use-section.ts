import { useMemo, useState } from "react";
import type { Contour } from "@arcada/imaging/mesh/contour";
import { atRest, inverted, moved, turned, type Movement } from "@arcada/imaging/surface/movement";
import type { Spot } from "@arcada/imaging/view/measure";
import type { Box, ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/picture-view";
import { middlePlane, planeThrough, reachOf, turnedPlane, type SectionPlane } from "@arcada/imaging/view/section-plane";
import { dot, times, type Vector } from "@arcada/imaging/view/vector";
import type { SectionSide, ShownSection } from "../model-look.ts";
import type { SurfaceTree } from "../surface-tree.ts";
import type { Subject } from "../use-model-camera.ts";

/** The named directions of a section: across one of the jaw's own axes. A section may also run freely. */
export const sectionWays = ["left", "back", "up"] as const;
type SectionWay = (typeof sectionWays)[number];

export interface Section {
  /** Null without a section. */
  shown: ShownSection | null;
  /** Null for a plane that was rotated by hand. */
  way: SectionWay | null;
  /** Offsets of the plane between which it intersects the models, mm. */
  reach: { least: number; most: number };
  begin: (way: SectionWay) => void;
  /** Cuts along a line on the screen, straight into the depth. */
  cut: (camera: ModelCamera, pane: Size, from: Spot, to: Spot) => void;
  moveTo: (offset: number) => void;
  moveBy: (mm: number) => void;
  turn: (about: Vector, axis: Vector, angle: number) => void;
  flip: () => void;
  keep: (side: SectionSide) => void;
  end: () => void;
}

interface Cut {
  plane: SectionPlane;
  way: SectionWay | null;
}

/** A plane through the models, and its intersection lines with them. */
export function useSection(
  surfaces: ReadonlyMap<string, SurfaceTree>,
  poses: ReadonlyMap<string, Movement>,
  subject: Pick<Subject, "box" | "frame"> | null,
): Section {
  const box = subject?.box ?? nowhere;
  const [made, setMade] = useState<Cut | null>(null);
  const [side, keep] = useState<SectionSide>("whole");
  const plane = made?.plane ?? null;
  const contours = useContours(surfaces, poses, plane);
  const shown = useMemo(() => plane && { plane, side, contours }, [plane, side, contours]);
  const reach = plane ? reachOf(plane.normal, box) : { least: 0, most: 0 };
  const slide = (change: (offset: number) => number) =>
    setMade((now) => {
      if (!now) return null;
      const { least, most } = reachOf(now.plane.normal, box);
      return { ...now, plane: { ...now.plane, offset: Math.min(most, Math.max(least, change(now.plane.offset))) } };
    });
  const alter = (change: (now: SectionPlane) => Cut) => setMade((now) => now && change(now.plane));
  return {
    shown,
    way: made?.way ?? null,
    reach,
    begin: (way) => setMade({ plane: middlePlane(subject?.frame[way] ?? axes[way], box), way }),
    cut: (...line) => {
      const cut = planeThrough(...line);
      if (cut) setMade({ plane: cut, way: null });
    },
    moveTo: (offset) => slide(() => offset),
    moveBy: (mm) => slide((now) => now + mm),
    turn: (about, axis, angle) => alter((now) => ({ plane: turnedPlane(now, about, axis, angle), way: null })),
    flip: () =>
      setMade((now) => now && { ...now, plane: { normal: times(now.plane.normal, -1), offset: -now.plane.offset } }),
    keep,
    end: () => setMade(null),
  };
}

const nowhere: Box = { min: [0, 0, 0], max: [0, 0, 0] };

const axes: Record<SectionWay, Vector> = { left: [1, 0, 0], back: [0, 1, 0], up: [0, 0, 1] };

/** Recomputed only for models whose surface or pose, or if the plane, has changed. */
function useContours(
  surfaces: ReadonlyMap<string, SurfaceTree>,
  poses: ReadonlyMap<string, Movement>,
  plane: SectionPlane | null,
): ReadonlyMap<string, readonly Contour[]> {
  const [known] = useState(() => new Map<string, Known>());
  return useMemo(() => {
    const contours = new Map<string, readonly Contour[]>();
    for (const id of known.keys()) if (!surfaces.has(id) || !plane) known.delete(id);
    if (!plane) return contours;
    for (const [id, surface] of surfaces) {
      const pose = poses.get(id) ?? atRest;
      const was = known.get(id);
      const isSame = was?.surface === surface && was.pose === pose && was.plane === plane;
      const lines = isSame ? was.lines : cutThrough(surface, pose, plane);
      known.set(id, { surface, pose, plane, lines });
      contours.set(id, lines);
    }
    return contours;
  }, [known, surfaces, poses, plane]);
}

interface Known {
  surface: SurfaceTree;
  pose: Movement;
  plane: SectionPlane;
  lines: readonly Contour[];
}

function cutThrough(surface: SurfaceTree, pose: Movement, plane: SectionPlane): readonly Contour[] {
  if (pose === atRest) return surface.section(plane);
  const normal = turned(inverted(pose), plane.normal);
  const shift: Vector = [pose[3], pose[7], pose[11]];
  const own = surface.section({ normal, offset: plane.offset - dot(plane.normal, shift) });
  return own.map((contour) => ({ ...contour, points: contour.points.map((point) => moved(pose, point)) }));
}
