import type { Vector } from "../geometry/vector.ts";
import { patientToVoxel } from "../volume/voxel-to-patient.ts";
import { measureDistances } from "./distance-field.ts";
import type { SearchField } from "./search-field.ts";
import type { Stop } from "./spread-costs.ts";
import { blurField, type TubeFields } from "./tube-likeness.ts";

/** Grey values that the search compares with; devices have scales of their own, so both are taken from the volume. */
export interface CanalGreys {
  /** The canal's lumen, near the points. */
  lumen: number;
  /** 0.4 of the way from the lumen to compact bone: more than spongy bone, less than any wall. */
  contrast: number;
}

/** mm around a point in which the lumen is looked for. */
const lumenReach = 2.6;

/** Share of the samples that are darker than compact bone and teeth in any box around a canal. */
const compactShare = 0.96;

export function findCanalGreys(
  { info, values }: SearchField,
  blurred: Float32Array,
  points: readonly Vector[],
): CanalGreys {
  const lows = points.map((point) => {
    let least = Infinity;
    visitSamplesAround(info, point, lumenReach, (at) => {
      least = Math.min(least, blurred[at]);
    });
    return least;
  });
  // A point may lie where the canal opens and its wall is bright, so the dark ones count.
  const lumen = lows.sort((a, b) => a - b)[Math.floor((lows.length - 1) / 3)];
  return compareWithCompactBone(values, lumen);
}

/** The grey values to compare with, where the lumen's is known. */
export function compareWithCompactBone(values: Float32Array, lumen: number): CanalGreys {
  const every = Math.max(1, Math.floor(values.length / 100_000));
  const sample = values.filter((_, at) => at % every === 0).sort();
  const bright = sample[Math.floor(compactShare * sample.length)];
  return { lumen, contrast: Math.max(1, 0.4 * (bright - lumen)) };
}

/** The tube-likeness, as a share of the contrast, at which a sample is as good as any. */
const fullLikeness = 0.15;
/** The cost of 1 mm along the best tube, and what a bright sample adds. */
const leastCost = 0.06;
const brightCost = 2;
/** Shares of the contrast above the lumen at which samples begin to be bright, and are. */
const brightFrom = 0.25;
const brightTo = 0.9;
/** mm: a wider blur would mix the two arms of a loop. */
const brightDeviation = 0.5;

/** Share of the contrast above the lumen from which a sample is bone. */
const boneFrom = 0.1;
/** mm: a dark place that is farther from bone is wider than any canal. What reaches it within as much is outside. */
export const widestLumen = 2.4;
const outsideCost = 3;

/**
 * Costs of 1 mm through each sample: low in dark tubes, high elsewhere, highest in compact bone and teeth, and outside
 * of the bone: along its surface a path would be as dark as in the canal.
 */
export function computeCosts(
  { info, values }: SearchField,
  { likeness, blurred }: TubeFields,
  { lumen, contrast }: CanalGreys,
  toOutside = measureToOutside({ info, values }, blurred, { lumen, contrast }),
): Float32Array {
  const sharp = blurField(values, info, brightDeviation / info.spacing[0]);
  return likeness.map((found, at) => {
    const missing = 1 - Math.min(1, found / (fullLikeness * contrast));
    const above = ((sharp[at] - lumen) / contrast - brightFrom) / (brightTo - brightFrom);
    const outside = widestLumen + 0.5 - toOutside[at];
    return leastCost + missing * missing + brightCost * toShare(above) + outsideCost * toShare(outside);
  });
}

/** The distance of each sample from what is outside of the bone, mm: its own surface is `widestLumen` away from that. */
export function measureToOutside(
  { info }: SearchField,
  blurred: Float32Array,
  { lumen, contrast }: CanalGreys,
): Float32Array {
  const toBone = measureDistances(info, (at) => blurred[at] > lumen + boneFrom * contrast);
  return measureDistances(info, (at) => toBone[at] > widestLumen);
}

const toShare = (value: number): number => Math.max(0, Math.min(1, value));

/** mm around a point in which the path may pass it, and the cost of 1 mm away from it. */
const stopReach = 1.7;
const stopCost = 1;

/** The samples at which a path may pass a point. */
export function listStops({ info }: SearchField, point: Vector): Stop[] {
  const stops: Stop[] = [];
  visitSamplesAround(info, point, stopReach, (at, far) => stops.push({ at, cost: stopCost * far }));
  return stops;
}

function visitSamplesAround(
  info: SearchField["info"],
  point: Vector,
  reach: number,
  visit: (at: number, far: number) => void,
): void {
  const middle = patientToVoxel(info, point);
  const [step] = info.spacing;
  const range = (axis: 0 | 1 | 2, count: number): [number, number] => [
    Math.max(0, Math.ceil(middle[axis] - reach / step)),
    Math.min(count - 1, Math.floor(middle[axis] + reach / step)),
  ];
  const [[x0, x1], [y0, y1], [z0, z1]] = [range(0, info.columns), range(1, info.rows), range(2, info.slices)];
  for (let k = z0; k <= z1; k++)
    for (let j = y0; j <= y1; j++)
      for (let i = x0; i <= x1; i++) {
        const far = step * Math.hypot(i - middle[0], j - middle[1], k - middle[2]);
        if (far <= reach) visit(i + info.columns * (j + info.rows * k), far);
      }
}
