import { dot, minus, plus, times, type Vector } from "../../geometry/vector.ts";
import type { VolumeGeometry } from "../../volume/volume-geometry.ts";
import { patientToVoxel } from "../../volume/voxel-to-patient.ts";
import { toothLayers } from "./detect-arches.ts";
import type { CurvedSurface } from "../curved-surface.ts";
import type { Jaw } from "./detected-arches.ts";

/** The part of an arch that the field of view cuts: the patient's right or left part, its front, or the height of its teeth. */
const archCuts = ["height", "right", "front", "left"] as const;
export type ArchCut = (typeof archCuts)[number];

/** Half the width of a molar, mm: so far the tooth reaches beyond its middle line. */
const halfTooth = 5;

/**
 * Names the parts of an arch that the volume does not contain with their teeth. The line needs half a tooth on each
 * side and at both ends. In height it needs the layer of its own teeth and the crowns of the other jaw, 7 mm beyond the
 * plane where the teeth meet: without them, that plane settles inside the teeth that are left, up to 9 mm off, and both
 * layers move with it.
 * @returns an empty result if the arch is inside the data; several parts if several are cut
 */
export function findArchCuts(geometry: VolumeGeometry, path: CurvedSurface, jaw: Jaw): ArchCut[] {
  // The line's sides are no finding if the height is wrong.
  if (!isHeightInField(geometry, path, getNeededHeights(jaw))) return ["height"];
  const last = path.points.length - 1;
  const cuts = new Set<ArchCut>();
  path.points.forEach((point, at) => {
    const side = at * 3 < last ? "right" : at * 3 > 2 * last ? "left" : "front";
    const neck = plus(point, times(path.up, path.level));
    const around = [-halfTooth, 0, halfTooth].map((out) => plus(neck, times(path.normals[at], out)));
    if (at === 0 || at === last) around.push(plus(neck, times(getContinuation(path, at), halfTooth)));
    if (!around.every((place) => isInside(geometry, place))) cuts.add(side);
  });
  return archCuts.filter((cut) => cuts.has(cut));
}

/** From the middle line of the necks: the outer end of the jaw's own layer, and the necks of the other jaw. */
function getNeededHeights(jaw: Jaw): [number, number] {
  const [low, high] = toothLayers[jaw];
  const [neck, other] = [(low + high) / 2, -(low + high) / 2];
  return [(jaw === "upper" ? high : low) - neck, other - neck];
}

/** Returns true if the field contains these heights over the necks, even if it cuts the arch at its sides. */
function isHeightInField(
  geometry: VolumeGeometry,
  { points, up, level }: CurvedSurface,
  heights: readonly number[],
): boolean {
  const size = [geometry.columns, geometry.rows, geometry.slices];
  const upright = patientToVoxel({ ...geometry, origin: [0, 0, 0] }, [...up]);
  const steepest = [0, 1, 2].reduce((best, axis) =>
    Math.abs(upright[axis] * geometry.spacing[axis]) > Math.abs(upright[best] * geometry.spacing[best]) ? axis : best,
  );
  return points.every((point) =>
    heights.every((height) => {
      const at = patientToVoxel(geometry, [...plus(point, times(up, level + height))])[steepest];
      return at >= -0.5 && at <= size[steepest] - 0.5;
    }),
  );
}

/** Returns the unit vector in which the line would continue beyond one of its ends. */
function getContinuation({ points, normals, up }: CurvedSurface, at: number): Vector {
  const normal = normals[at];
  const along: Vector = [
    up[1] * normal[2] - up[2] * normal[1],
    up[2] * normal[0] - up[0] * normal[2],
    up[0] * normal[1] - up[1] * normal[0],
  ];
  const inner = at === 0 ? points[1] : points[at - 1];
  return dot(along, minus(points[at], inner)) < 0 ? times(along, -1) : along;
}

function isInside(geometry: VolumeGeometry, place: Vector): boolean {
  const size = [geometry.columns, geometry.rows, geometry.slices];
  return patientToVoxel(geometry, [...place]).every((at, axis) => at >= -0.5 && at <= size[axis] - 0.5);
}
