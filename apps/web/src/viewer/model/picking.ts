import { nearestOn } from "@arcada/imaging/mesh/contour";
import { atRest, inverted, moved, turned, type Movement } from "@arcada/imaging/surface/movement";
import type { Spot } from "@arcada/imaging/view/measure";
import { sightOf, towardsEye, type ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/picture-view";
import { dot, plus, times, type Vector } from "@arcada/imaging/view/vector";
import type { ModelLook, ShownSection } from "./model-look.ts";
import type { SurfaceTree } from "./surface-tree.ts";

/** The parts of a scene that a ray can hit. */
export interface Pickable {
  camera: ModelCamera;
  size: Size;
  surfaces: ReadonlyMap<string, SurfaceTree>;
  looks: ReadonlyMap<string, ModelLook>;
  poses: ReadonlyMap<string, Movement>;
  section: ShownSection | null;
}

export interface Picked {
  id: string;
  /** In the scene's space, mm. */
  point: Vector;
}

/** mm in front of the middle at which a ray of a parallel projection begins: no dental model is larger. */
const far = 1000;

/** Returns the hit under a point of the viewport: the line of a section first, else the nearest visible surface. */
export function pickAt(scene: Pickable, at: Spot): Picked | null {
  const { origin, direction } = sightOf(scene.camera, scene.size, at, far);
  return (
    onLine(scene, origin, direction) ?? (scene.section?.side === "line" ? null : onSurface(scene, origin, direction))
  );
}

/** True if a visible surface is between a point and the eye. */
export function isCovered(scene: Pickable, point: Vector): boolean {
  const towards = towardsEye(scene.camera, point);
  const skin = 0.15;
  return onSurface(scene, plus(point, times(towards, skin)), towards) !== null;
}

function onSurface({ surfaces, looks, poses, section }: Pickable, origin: Vector, direction: Vector): Picked | null {
  let best: (Picked & { distance: number }) | null = null;
  for (const [id, surface] of surfaces) {
    if (!looks.get(id)?.isVisible) continue;
    const pose = poses.get(id) ?? atRest;
    const back = inverted(pose);
    const isLeft = (point: Vector) => isKept(section, moved(pose, point));
    const hit = surface.meets(moved(back, origin), turned(back, direction), isLeft);
    if (hit && (!best || hit.distance < best.distance))
      best = { id, distance: hit.distance, point: moved(pose, hit.point) };
  }
  return best;
}

function isKept(section: ShownSection | null, point: Vector): boolean {
  if (!section) return true;
  const above = dot(section.plane.normal, point) - section.plane.offset;
  return section.side === "above" ? above >= 0 : section.side === "below" ? above <= 0 : true;
}

/** CSS pixels within which a point snaps to a section's line. */
const catching = 9;

function onLine({ section, camera, looks }: Pickable, origin: Vector, direction: Vector): Picked | null {
  if (!section) return null;
  const { normal, offset } = section.plane;
  const slope = dot(normal, direction);
  // Seen edge-on, points of the plane cannot be told apart.
  if (Math.abs(slope) < 0.1) return null;
  const place = plus(origin, times(direction, (offset - dot(normal, origin)) / slope));
  let best: (Picked & { off: number }) | null = null;
  for (const [id, contours] of section.contours) {
    if (!looks.get(id)?.isVisible) continue;
    for (const contour of contours) {
      const { point, off } = nearestOn(contour, place);
      if (off * camera.scale < catching && (!best || off < best.off)) best = { id, point, off };
    }
  }
  return best;
}
