import { planeNames, anatomicalPlanes, type Plane, type PlaneName } from "./plane-view.ts";
import { cross, dot, lengthOf, minus, rotateVector, times, normalize, type Vector } from "../geometry/vector.ts";

/** Three planes at right angles to each other, however they are turned. */
export type PlaneSet = Readonly<Record<PlaneName, Plane>>;

export const defaultPlanes: PlaneSet = anatomicalPlanes;

/** Turns the two other planes about the normal of this one, clockwise on its screen; degrees. */
export function rotatePlanes(current: PlaneSet, name: PlaneName, degrees: number): PlaneSet {
  const { away } = current[name];
  const rotatePlane = (plane: Plane): Plane => {
    const turn = (vector: Vector) => rotateVector(vector, away, (degrees * Math.PI) / 180);
    return createOrthonormalPlane(turn(plane.right), turn(plane.down));
  };
  return mapPlanes(current, (plane, other) => (other === name ? plane : rotatePlane(plane)));
}

/**
 * Rotates all three together until this one has the given orientation; on the two others the patient is as upright as
 * possible.
 */
export function alignPlanes(current: PlaneSet, name: PlaneName, right: Vector, down: Vector): PlaneSet {
  const from = current[name];
  const to = createOrthonormalPlane(right, down);
  const along = (vector: Vector): Vector => {
    const [x, y, z] = [dot(vector, from.right), dot(vector, from.down), dot(vector, from.away)];
    const part = (axis: 0 | 1 | 2) => x * to.right[axis] + y * to.down[axis] + z * to.away[axis];
    return [part(0), part(1), part(2)];
  };
  return mapPlanes(current, (plane, other) =>
    other === name ? to : alignUpright(other, createOrthonormalPlane(along(plane.right), along(plane.down))),
  );
}

/** The same plane with its right as near to the straight plane's as can be. */
function alignUpright(name: PlaneName, plane: Plane): Plane {
  const { right } = anatomicalPlanes[name];
  const across = minus(right, times(plane.away, dot(right, plane.away)));
  return lengthOf(across) < 0.1 ? plane : createOrthonormalPlane(across, cross(plane.away, across));
}

/** The planes that cut a viewport in its first (horizontal, unless turned) and in its second line. */
export const crossingPlanes: Record<PlaneName, readonly [first: PlaneName, second: PlaneName]> = {
  axial: ["coronal", "sagittal"],
  coronal: ["axial", "sagittal"],
  sagittal: ["axial", "coronal"],
};

/** Returns the clockwise rotation of the other planes' lines on the screen of this one; degrees from −180 to 180. */
export function getLineAngle(current: PlaneSet, name: PlaneName): number {
  const [x, y] = getIntersectionLine(current, name, crossingPlanes[name][0]);
  return (Math.atan2(y, x) * 180) / Math.PI;
}

/** The unit direction on the screen of plane `name` of its line with `other`; the straight planes' lines run right and down. */
export function getIntersectionLine(
  current: PlaneSet,
  name: PlaneName,
  other: PlaneName,
): readonly [x: number, y: number] {
  const { right, down, away } = current[name];
  const line = cross(current[other].away, away);
  const straight = cross(anatomicalPlanes[other].away, anatomicalPlanes[name].away);
  const side = dot(straight, anatomicalPlanes[name].right) + dot(straight, anatomicalPlanes[name].down) < 0 ? -1 : 1;
  return [side * dot(line, right), side * dot(line, down)];
}

/** Returns true if the three planes have their initial orientation. */
export const isUnrotated = (current: PlaneSet): boolean =>
  planeNames.every((name) => dot(current[name].away, anatomicalPlanes[name].away) > 1 - 1e-9);

const mapPlanes = (current: PlaneSet, change: (plane: Plane, name: PlaneName) => Plane): PlaneSet => ({
  axial: change(current.axial, "axial"),
  coronal: change(current.coronal, "coronal"),
  sagittal: change(current.sagittal, "sagittal"),
});

/** Many small turns add up rounding: the directions are made square again. */
function createOrthonormalPlane(right: Vector, down: Vector): Plane {
  const away = normalize(cross(right, down));
  const across = normalize(right);
  return { right: across, down: cross(away, across), away };
}
