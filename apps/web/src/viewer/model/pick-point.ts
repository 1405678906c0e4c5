import { findNearestOnContour } from "@arcada/imaging/mesh/contour";
import {
  identityTransform,
  invertTransform,
  transformPoint,
  rotate,
  type RigidTransform,
} from "@arcada/imaging/geometry/rigid-transform";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { castViewRay, getDirectionToEye, type ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/image-view";
import { dot, plus, times, type Vector } from "@arcada/imaging/geometry/vector";
import type { ModelDisplaySettings, ShownSection } from "./rendering/model-display-settings.ts";
import type { SurfaceTree } from "./mesh/surface-tree.ts";

/** The parts of a scene that a ray can hit. */
export interface PickableScene {
  camera: ModelCamera;
  size: Size;
  surfaces: ReadonlyMap<string, SurfaceTree>;
  /** The models that are drawn although their trees are not built (yet): rays pass through them. */
  withoutTree: ReadonlySet<string>;
  displaySettings: ReadonlyMap<string, ModelDisplaySettings>;
  poses: ReadonlyMap<string, RigidTransform>;
  section: ShownSection | null;
}

export interface PickedPoint {
  id: string;
  /** In the scene's space, mm. */
  point: Vector;
}

/** mm in front of the middle at which a ray of a parallel projection begins: no dental model is larger. */
const rayStartMm = 1000;

/**
 * Returns the hit under a point of the viewport: the line of a section first, else the nearest visible surface. While a
 * visible model has no tree, there is no hit: the point could be on the model behind the one that was clicked.
 */
export function pickPoint(scene: PickableScene, at: Point2D): PickedPoint | null {
  if ([...scene.withoutTree].some((id) => scene.displaySettings.get(id)?.isVisible)) return null;
  const { origin, direction } = castViewRay(scene.camera, scene.size, at, rayStartMm);
  return (
    pickSectionLine(scene, origin, direction) ??
    (scene.section?.side === "line" ? null : pickSurface(scene, origin, direction))
  );
}

/** True if a visible surface is between a point and the eye. A model without a tree hides nothing. */
export function isOccluded(scene: PickableScene, point: Vector): boolean {
  const towards = getDirectionToEye(scene.camera, point);
  const skin = 0.15;
  return pickSurface(scene, plus(point, times(towards, skin)), towards) !== null;
}

function pickSurface(
  { surfaces, displaySettings, poses, section }: PickableScene,
  origin: Vector,
  direction: Vector,
): PickedPoint | null {
  let best: (PickedPoint & { distance: number }) | null = null;
  for (const [id, surface] of surfaces) {
    if (!displaySettings.get(id)?.isVisible) continue;
    const pose = poses.get(id) ?? identityTransform;
    const inverse = invertTransform(pose);
    const isLeft = (point: Vector) => isInsideSection(section, transformPoint(pose, point));
    const hit = surface.raycast(transformPoint(inverse, origin), rotate(inverse, direction), isLeft);
    if (hit && (!best || hit.distance < best.distance))
      best = { id, distance: hit.distance, point: transformPoint(pose, hit.point) };
  }
  return best;
}

function isInsideSection(section: ShownSection | null, point: Vector): boolean {
  if (!section) return true;
  const above = dot(section.plane.normal, point) - section.plane.offset;
  return section.side === "above" ? above >= 0 : section.side === "below" ? above <= 0 : true;
}

/** CSS pixels within which a point snaps to a section's line. */
const snapPixels = 9;

function pickSectionLine(
  { section, camera, displaySettings }: PickableScene,
  origin: Vector,
  direction: Vector,
): PickedPoint | null {
  if (!section) return null;
  const { normal, offset } = section.plane;
  const slope = dot(normal, direction);
  // Seen edge-on, points of the plane cannot be distinguished.
  if (Math.abs(slope) < 0.1) return null;
  const place = plus(origin, times(direction, (offset - dot(normal, origin)) / slope));
  let best: (PickedPoint & { off: number }) | null = null;
  for (const [id, contours] of section.contours) {
    if (!displaySettings.get(id)?.isVisible) continue;
    for (const contour of contours) {
      const { point, off } = findNearestOnContour(contour, place);
      if (off * camera.scale < snapPixels && (!best || off < best.off)) best = { id, point, off };
    }
  }
  return best;
}
