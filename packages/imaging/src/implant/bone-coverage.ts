import { patientToVoxel } from "../volume/voxel-to-patient.ts";
import { sampleAtPatient, type VoxelGrid } from "../surface/voxel-grid.ts";
import { cross, dot, minus, plus, times, normalize, type Vector } from "../geometry/vector.ts";
import type { VolumeGeometry } from "../volume/volume-geometry.ts";
import { getRadialDirections, getRing, type ImplantBody } from "./implant-body.ts";
import type { TissueLevels } from "../volume/hard-tissue.ts";
import { getDirection } from "../arch/smooth-line.ts";

/** The parts of an implant's surface that seem to leave the bone, as shares of the examined surface. */
export interface BoneCoverage {
  /** The share outside bone, or outside the volume. */
  outside: number;
  /** The share outside the volume: nothing is known of it. */
  unseen: number;
  /** The shares of `outside` by the side that they face; without an arch only the tip has a name. */
  buccal: number;
  inner: number;
  apex: number;
}

/** mm below the shoulder from which an implant is examined: gums reach over the shoulder in many systems. */
const examinedFrom = 1.5;
const ringStep = 0.6;
const directionCount = 24;
/**
 * The distance in mm outside the surface at which a point is sampled: a voxel that touches the bone from outside is not
 * bone.
 */
const surfaceOffset = 0.2;

/**
 * Estimates the share of an implant's surface outside bone from the grey values of a volume. A point is in bone if its
 * value is that of compact bone, and out of it if its value is that of air. Marrow and gums cannot be distinguished by
 * their values: between them, a point counts as in bone if compact bone is met on both sides of it.
 * @param outwards the direction from the tongue to the cheek at the implant; null if no arch is known
 */
export function estimateBoneCoverage(
  grid: VoxelGrid,
  levels: TissueLevels,
  body: ImplantBody,
  outwards: Vector | null,
): BoneCoverage {
  const cover = { outside: 0, unseen: 0, buccal: 0, inner: 0, apex: 0 };
  const lines = createSearchLines(body, outwards).map((way) => toVoxelStep(grid.info, way));
  let all = 0;
  for (const { place, way, weight, isTip } of sampleSurface(body)) {
    all += weight;
    const value = sampleAtPatient(grid, place);
    if (Number.isNaN(value)) cover.unseen += weight;
    else if (value >= levels.bone || (value > levels.air && isEnclosed(grid, levels, place, lines))) continue;
    cover.outside += weight;
    if (isTip) cover.apex += weight;
    else if (outwards) cover[dot(way, outwards) > 0 ? "buccal" : "inner"] += weight;
  }
  const { outside, unseen, buccal, inner, apex } = cover;
  return { outside: outside / all, unseen: unseen / all, buccal: buccal / all, inner: inner / all, apex: apex / all };
}

interface SurfaceSample {
  place: Vector;
  way: Vector;
  weight: number;
  isTip: boolean;
}

/** Sample points all over the side and the tip, each with the area that it represents. */
function* sampleSurface(body: ImplantBody): Generator<SurfaceSample> {
  const axis = getDirection(body.head, body.apex);
  const length = dot(minus(body.apex, body.head), axis);
  const from = Math.min(examinedFrom, length / 2);
  const rings = Math.max(2, Math.ceil((length - from) / ringStep));
  const directions = getRadialDirections(body, directionCount);
  for (let ring = 0; ring <= rings; ring++) {
    const depth = from + ((length - from) * ring) / rings;
    const [middle, radius] = getRing(body, depth / length);
    for (const way of directions)
      yield {
        place: plus(middle, times(way, radius + surfaceOffset)),
        way,
        weight: (radius * (length - from)) / rings,
        isTip: length - depth < 1.5,
      };
  }
  for (const share of [0.25, 0.75])
    for (const way of directions)
      yield {
        place: plus(plus(body.apex, times(axis, surfaceOffset)), times(way, body.tip * share)),
        way,
        weight: body.tip * body.tip * share * 0.5,
        isTip: true,
      };
}

/** The search distance for compact bone: 11 mm in steps of 0.4 mm. */
const lineStep = 0.4;
const steps = Math.round(11 / lineStep);

/**
 * Directions perpendicular to the implant in which compact bone is searched on both sides: those across the jaw if the
 * arch is known.
 */
function createSearchLines({ head, apex }: ImplantBody, outwards: Vector | null): Vector[] {
  const axis = getDirection(head, apex);
  const [spread, count] = outwards ? [(100 * Math.PI) / 180, 8] : [Math.PI, 12];
  const first = normalize(
    outwards
      ? minus(outwards, times(axis, dot(outwards, axis)))
      : cross(axis, Math.abs(axis[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]),
  );
  const second = cross(axis, first);
  return Array.from({ length: count }, (_, at) => {
    const angle = ((at + 0.5) / count - 0.5) * spread;
    return plus(times(first, Math.cos(angle)), times(second, Math.sin(angle)));
  });
}

/** One step along a direction, in voxels. */
const toVoxelStep = ({ direction, spacing }: VolumeGeometry, way: Vector): Vector => {
  const [dx, dy, dz] = patientToVoxel({ direction, spacing, origin: [0, 0, 0] }, [...way]);
  return [dx * lineStep, dy * lineStep, dz * lineStep];
};

/** The part of the lines that must meet compact bone on both sides. */
const minLineShare = 0.3;

function isEnclosed(grid: VoxelGrid, levels: TissueLevels, place: Vector, lines: readonly Vector[]): boolean {
  const from = patientToVoxel(grid.info, [...place]);
  const enclosing = lines.filter(
    (line) => reachesCompactBone(grid, levels, from, line, 1) && reachesCompactBone(grid, levels, from, line, -1),
  );
  return enclosing.length >= lines.length * minLineShare;
}

/** Returns true if a line, in voxels for each step, reaches compact bone before it reaches air. */
function reachesCompactBone(
  { info, data }: VoxelGrid,
  levels: TissueLevels,
  from: Vector,
  line: Vector,
  sign: 1 | -1,
): boolean {
  const { columns, rows, slices } = info;
  for (let step = 1; step <= steps; step++) {
    const x = Math.round(from[0] + sign * step * line[0]);
    const y = Math.round(from[1] + sign * step * line[1]);
    const z = Math.round(from[2] + sign * step * line[2]);
    if (x < 0 || y < 0 || z < 0 || x >= columns || y >= rows || z >= slices) return false;
    const value = data[(z * rows + y) * columns + x];
    if (value >= levels.bone) return true;
    if (value <= levels.air) return false;
  }
  return false;
}
