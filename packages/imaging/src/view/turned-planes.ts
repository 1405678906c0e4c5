import { planeNames, planes, type Plane, type PlaneName } from "./plane.ts";
import { cross, dot, lengthOf, minus, rotated, times, unit, type Vector } from "./vector.ts";

/** Three planes at right angles to each other, however they are turned. */
export type Planes = Readonly<Record<PlaneName, Plane>>;

export const straightPlanes: Planes = planes;

/** Turns the two other planes about the normal of this one, clockwise on its screen; degrees. */
export function turnedPlanes(now: Planes, name: PlaneName, degrees: number): Planes {
  const { away } = now[name];
  const turned = (plane: Plane): Plane => {
    const turn = (vector: Vector) => rotated(vector, away, (degrees * Math.PI) / 180);
    return squared(turn(plane.right), turn(plane.down));
  };
  return changed(now, (plane, other) => (other === name ? plane : turned(plane)));
}

/**
 * Rotates all three together until this one has the given orientation; on the two others the patient is as upright as
 * possible.
 */
export function planesThrough(now: Planes, name: PlaneName, right: Vector, down: Vector): Planes {
  const from = now[name];
  const to = squared(right, down);
  const along = (vector: Vector): Vector => {
    const [x, y, z] = [dot(vector, from.right), dot(vector, from.down), dot(vector, from.away)];
    const part = (axis: 0 | 1 | 2) => x * to.right[axis] + y * to.down[axis] + z * to.away[axis];
    return [part(0), part(1), part(2)];
  };
  return changed(now, (plane, other) =>
    other === name ? to : upright(other, squared(along(plane.right), along(plane.down))),
  );
}

/** The same plane with its right as near to the straight plane's as can be. */
function upright(name: PlaneName, plane: Plane): Plane {
  const { right } = planes[name];
  const across = minus(right, times(plane.away, dot(right, plane.away)));
  return lengthOf(across) < 0.1 ? plane : squared(across, cross(plane.away, across));
}

/** The planes that cut a viewport in its first (horizontal, unless turned) and in its second line. */
export const crossing: Record<PlaneName, readonly [first: PlaneName, second: PlaneName]> = {
  axial: ["coronal", "sagittal"],
  coronal: ["axial", "sagittal"],
  sagittal: ["axial", "coronal"],
};

/** Returns the clockwise rotation of the other planes' lines on the screen of this one; degrees from −180 to 180. */
export function angleIn(now: Planes, name: PlaneName): number {
  const [x, y] = lineOf(now, name, crossing[name][0]);
  return (Math.atan2(y, x) * 180) / Math.PI;
}

/** The unit direction on the screen of plane `name` of its line with `other`; the straight planes' lines run right and down. */
export function lineOf(now: Planes, name: PlaneName, other: PlaneName): readonly [x: number, y: number] {
  const { right, down, away } = now[name];
  const line = cross(now[other].away, away);
  const straight = cross(planes[other].away, planes[name].away);
  const side = dot(straight, planes[name].right) + dot(straight, planes[name].down) < 0 ? -1 : 1;
  return [side * dot(line, right), side * dot(line, down)];
}

/** Returns true if the three planes have their initial orientation. */
export const isStraight = (now: Planes): boolean =>
  planeNames.every((name) => dot(now[name].away, planes[name].away) > 1 - 1e-9);

const changed = (now: Planes, change: (plane: Plane, name: PlaneName) => Plane): Planes => ({
  axial: change(now.axial, "axial"),
  coronal: change(now.coronal, "coronal"),
  sagittal: change(now.sagittal, "sagittal"),
});

/** Many small turns add up rounding: the directions are made square again. */
function squared(right: Vector, down: Vector): Plane {
  const away = unit(cross(right, down));
  const across = unit(right);
  return { right: across, down: cross(away, across), away };
}
