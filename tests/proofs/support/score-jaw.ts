import { decodeRuns } from "@arcada/imaging/jaws/jaw-body";
import type { SolidGeometry } from "@arcada/contract/analysis/observation";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { findVoxel, type VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";
import { voxelToPatient } from "@arcada/imaging/volume/voxel-to-patient";
import { measureDistances } from "../../../packages/imaging/src/canal/distance-field.ts";

/** The true bone of a jaw: 1 inside, 0 outside, null where it is not judged. */
export type JawTruthAt = (point: Vector) => 0 | 1 | null;

export interface JawScore {
  dice: number;
  /** mm from each surface to the other one, in a grid of 1 mm. */
  distances: number[];
}

const step = 1;

/** Compares a suggested jaw with the true one in a grid of 1 mm over the whole volume. */
export function scoreJaw(geometry: SolidGeometry, volume: VolumeGeometry, truthAt: JawTruthAt): JawScore {
  const { size: lengths, runs, ...grid } = geometry;
  const [columns, rows, slices] = lengths;
  const inside = decodeRuns(runs, columns * rows * slices);
  const own: VolumeGeometry = { ...grid, columns, rows, slices };
  const size = [volume.columns, volume.rows, volume.slices].map((count, axis) =>
    Math.floor((count * volume.spacing[axis]) / step),
  );
  const info: VolumeGeometry = {
    ...volume,
    columns: size[0],
    rows: size[1],
    slices: size[2],
    spacing: [step, step, step],
  };
  const count = info.columns * info.rows * info.slices;
  const [found, truth, judged] = [new Uint8Array(count), new Uint8Array(count), new Uint8Array(count)];
  let [foundCount, trueCount, both] = [0, 0, 0];
  for (let at = 0; at < count; at++) {
    const point = voxelToPatient(info, placeOf(info, at));
    const voxel = findVoxel(own, point);
    const isTrue = truthAt(point);
    found[at] = voxel && inside ? inside[voxel[0] + columns * (voxel[1] + rows * voxel[2])] : 0;
    if (isTrue === null) continue;
    [truth[at], judged[at]] = [isTrue, 1];
    foundCount += found[at];
    trueCount += isTrue;
    both += found[at] & isTrue;
  }
  return { dice: (2 * both) / (foundCount + trueCount), distances: measureSurfaces(info, found, truth, judged) };
}

const placeOf = ({ columns, rows }: VolumeGeometry, at: number): Vector => [
  at % columns,
  Math.floor(at / columns) % rows,
  Math.floor(at / (columns * rows)),
];

/** Surfaces beside what is not judged do not count: they are its border. */
function measureSurfaces(info: VolumeGeometry, found: Uint8Array, truth: Uint8Array, judged: Uint8Array): number[] {
  const strides = [1, info.columns, info.columns * info.rows];
  const isEdge = (mask: Uint8Array, at: number): boolean =>
    mask[at] === 1 && strides.some((stride) => mask[at - stride] !== 1 || mask[at + stride] !== 1);
  const isJudged = (at: number): boolean =>
    judged[at] === 1 && strides.every((stride) => judged[at - stride] === 1 && judged[at + stride] === 1);
  const toTruth = measureDistances(info, (at) => isEdge(truth, at));
  const toFound = measureDistances(info, (at) => isEdge(found, at));
  const distances: number[] = [];
  for (let at = 0; at < found.length; at++) {
    if (!isJudged(at)) continue;
    if (isEdge(found, at)) distances.push(toTruth[at]);
    if (isEdge(truth, at)) distances.push(toFound[at]);
  }
  return distances;
}
