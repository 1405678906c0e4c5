import { archPath, patientToWall, strokeLength, type ArchPath, type WallPlace } from "@arcada/imaging/arch/path";
import { spaceAngle, spaceLineAngle } from "@arcada/imaging/view/measure";
import { vectorOf, type Vector } from "@arcada/imaging/view/vector";
import type { Ruler } from "../../marks/kind.ts";

/** Measures on the unrolled curved surface: lengths along the stroke in the patient, angles as displayed. */
export function wallRuler(path: ArchPath, points: readonly Vector[]): Pick<Ruler, "length" | "angle" | "between"> {
  const depth = points.reduce((sum, point) => sum + patientToWall(path, point).out / points.length, 0);
  const wall = Math.abs(depth) < 0.05 ? path : (archPath(path.points.filter(isKept), path.up, depth) ?? path);
  const flat = (point: readonly number[]): Vector => unrolled(patientToWall(wall, vectorOf(point)));
  return {
    length: (a, b) => ({ value: strokeLength(path, vectorOf(a), vectorOf(b)), unit: "mmAlong" }),
    angle: (a, corner, b) => spaceAngle(flat(a), flat(corner), flat(b)),
    between: (a, b, c, d) => spaceLineAngle(flat(a), flat(b), flat(c), flat(d)),
  };
}

const isKept = (_: Vector, at: number, all: readonly Vector[]): boolean => at % 8 === 0 || at === all.length - 1;

const unrolled = ({ along, height }: WallPlace): Vector => [along, height, 0];
