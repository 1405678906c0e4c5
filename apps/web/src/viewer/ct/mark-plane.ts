import type { Mark } from "@arcada/contract/study/mark";
import { planes, planeNames, type Plane, type PlaneName } from "@arcada/imaging/view/plane";
import { cross, dot, type Vector } from "@arcada/imaging/view/vector";

/**
 * Returns the rotation of a plane to be stored with an annotation drawn in it, if the plane is rotated: the unit
 * vectors to the right and down on its screen.
 */
export function turnSettings(name: NonNullable<Mark["plane"]>, turned: Plane | undefined): Pick<Mark, "settings"> {
  const straight = straightOf(name);
  if (!turned || (dot(turned.right, straight.right) > 1 - 1e-9 && dot(turned.down, straight.down) > 1 - 1e-9))
    return {};
  const [rightX, rightY, rightZ] = turned.right;
  const [downX, downY, downZ] = turned.down;
  return { settings: { rightX, rightY, rightZ, downX, downY, downZ } };
}

/** The plane in which an annotation was drawn. */
export function planeOfMark({ plane, settings }: Pick<Mark, "plane" | "settings">): Plane {
  const part = (name: string): number => Number(settings?.[name]);
  if (settings?.["rightX"] === undefined) return straightOf(plane);
  const right: Vector = [part("rightX"), part("rightY"), part("rightZ")];
  const down: Vector = [part("downX"), part("downY"), part("downZ")];
  return { right, down, away: cross(right, down) };
}

/** Its name among the three linked planes; null for annotations drawn elsewhere. */
export const linkedPlane = (plane: Mark["plane"]): PlaneName | null =>
  planeNames.find((name) => name === plane) ?? null;

const straightOf = (plane: Mark["plane"]): Plane => planes[linkedPlane(plane) ?? "axial"];
