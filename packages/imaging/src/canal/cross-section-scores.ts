import { cross, dot, minus, normalize, plus, times, type Vector } from "../geometry/vector.ts";
import { sampleAtVoxel, type VoxelGrid } from "../surface/voxel-grid.ts";
import type { VolumeGeometry } from "../volume/volume-geometry.ts";
import { patientToVoxel } from "../volume/voxel-to-patient.ts";

/** A place on the line with directions across it. */
export interface Station {
  place: Vector;
  along: Vector;
  u: Vector;
  v: Vector;
}

/** mm between samples of a section, and between candidates for the centre. */
export const sectionStep = 0.25;
/** Candidates to each side of the line's own place. */
export const candidateReach = 7;
export const candidateSide = 2 * candidateReach + 1;
/** Radii of the lumen that are tried, mm. */
const radii = [0.9, 1.2, 1.5, 1.8, 2.1] as const;
const ringFrom = 0.25;
const ringTo = 1;
const sectionReach = candidateReach + Math.ceil((radii[radii.length - 1] + ringTo) / sectionStep);
const sectionSide = 2 * sectionReach + 1;

/** For each candidate `[v][u]`: by how many grey values the ring is brighter than the disc, and the best radius. */
export interface SectionScores {
  contrast: Float32Array;
  radius: Float32Array;
}

/** Directions across a line at each of its points; they turn with the line and never around it. */
export function createStations(points: readonly Vector[]): Station[] {
  let side: Vector = [1, 0, 0];
  return points.map((place, at) => {
    const along = normalize(minus(points[Math.min(points.length - 1, at + 2)], points[Math.max(0, at - 2)]));
    if (at === 0 && Math.abs(along[0]) > 0.8) side = [0, 1, 0];
    const u = normalize(minus(side, times(along, dot(side, along))));
    side = u;
    return { place, along, u, v: cross(along, u) };
  });
}

/** mm before and behind a section over which its values are averaged. */
const slabOffsets = [-1, -0.5, 0, 0.5, 1] as const;

/** Mean of the values along the line at each sample across it; NaN where the volume ends. */
function sampleSection(grid: VoxelGrid, { place, along, u, v }: Station): Float32Array {
  const { info } = grid;
  const [x, y, z] = patientToVoxel(info, place);
  const [ux, uy, uz] = toVoxelStep(info, u);
  const [vx, vy, vz] = toVoxelStep(info, v);
  const [ax, ay, az] = toVoxelStep(info, along);
  const values = new Float32Array(sectionSide * sectionSide);
  let at = 0;
  for (let j = -sectionReach; j <= sectionReach; j++)
    for (let i = -sectionReach; i <= sectionReach; i++) {
      const [a, b] = [i * sectionStep, j * sectionStep];
      let sum = 0;
      for (const off of slabOffsets)
        sum += sampleAtVoxel(
          grid,
          x + a * ux + b * vx + off * ax,
          y + a * uy + b * vy + off * ay,
          z + a * uz + b * vz + off * az,
        );
      values[at++] = sum / slabOffsets.length;
    }
  return values;
}

/** A direction of 1 mm in voxels. */
const toVoxelStep = ({ direction, spacing }: VolumeGeometry, way: Vector): Vector =>
  patientToVoxel({ direction, spacing, origin: [0, 0, 0] }, way);

interface Template {
  radius: number;
  disc: Int16Array;
  ring: Int16Array;
}

const templates: readonly Template[] = radii.map((radius) => ({
  radius,
  disc: listOffsets(0, radius - 0.1),
  ring: listOffsets(radius + ringFrom, radius + ringTo),
}));

function listOffsets(from: number, to: number): Int16Array {
  const found: number[] = [];
  const reach = Math.ceil(to / sectionStep);
  for (let j = -reach; j <= reach; j++)
    for (let i = -reach; i <= reach; i++) {
      const far = Math.hypot(i, j) * sectionStep;
      if (far >= from && far <= to) found.push(j * sectionSide + i);
    }
  return Int16Array.from(found);
}

/**
 * Compares every candidate with a dark disc in a brighter ring.
 * @param ceiling grey value at which the ring is cut off: compact bone and roots beside the canal must not draw it
 */
export function scoreSection(grid: VoxelGrid, station: Station, ceiling: number): SectionScores {
  const values = sampleSection(grid, station).map((value) => Math.min(value, ceiling));
  const contrast = new Float32Array(candidateSide * candidateSide);
  const radius = new Float32Array(contrast.length);
  for (let at = 0; at < contrast.length; at++) {
    const row = Math.floor(at / candidateSide) - candidateReach + sectionReach;
    const middle = row * sectionSide + (at % candidateSide) - candidateReach + sectionReach;
    contrast[at] = -Infinity;
    for (const template of templates) {
      const found = meanOver(values, template.ring, middle) - meanOver(values, template.disc, middle);
      if (!(found > contrast[at])) continue;
      contrast[at] = found;
      radius[at] = template.radius;
    }
  }
  return { contrast, radius };
}

function meanOver(values: Float32Array, offsets: Int16Array, middle: number): number {
  let sum = 0;
  for (const offset of offsets) sum += values[middle + offset];
  return sum / offsets.length;
}
