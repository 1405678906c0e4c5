import type { Annotation } from "@arcada/contract/study/annotation";
import { anatomicalPlanes, planeNames, type Plane, type PlaneName } from "@arcada/imaging/view/plane-view";
import { cross, dot, type Vector } from "@arcada/imaging/geometry/vector";

/**
 * Returns the rotation of a plane to be stored with an annotation drawn in it, if the plane is rotated: the unit
 * vectors to the right and down on its screen.
 */
export function buildRotationSettings(
  name: NonNullable<Annotation["plane"]>,
  rotated: Plane | undefined,
): Pick<Annotation, "settings"> {
  const straight = getUnrotatedPlane(name);
  if (!rotated || (dot(rotated.right, straight.right) > 1 - 1e-9 && dot(rotated.down, straight.down) > 1 - 1e-9))
    return {};
  const [rightX, rightY, rightZ] = rotated.right;
  const [downX, downY, downZ] = rotated.down;
  return { settings: { rightX, rightY, rightZ, downX, downY, downZ } };
}

/** The plane in which an annotation was drawn. */
export function readAnnotationPlane({ plane, settings }: Pick<Annotation, "plane" | "settings">): Plane {
  const part = (name: string): number => Number(settings?.[name]);
  if (settings?.["rightX"] === undefined) return getUnrotatedPlane(plane);
  const right: Vector = [part("rightX"), part("rightY"), part("rightZ")];
  const down: Vector = [part("downX"), part("downY"), part("downZ")];
  return { right, down, away: cross(right, down) };
}

/** Its name among the three linked planes; null for annotations drawn elsewhere. */
export const findLinkedPlane = (plane: Annotation["plane"]): PlaneName | null =>
  planeNames.find((name) => name === plane) ?? null;

const getUnrotatedPlane = (plane: Annotation["plane"]): Plane => anatomicalPlanes[findLinkedPlane(plane) ?? "axial"];
