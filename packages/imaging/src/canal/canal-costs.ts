import type { Vector } from "../geometry/vector.ts";
import { patientToVoxel } from "../volume/voxel-to-patient.ts";
import type { SearchField } from "./search-field.ts";
import type { Sample } from "./shortest-path.ts";
import type { TubeFields } from "./tube-likeness.ts";

/** Grey values that the search compares with; devices have scales of their own, so both are taken from the volume. */
export interface CanalGreys {
  /** Of the canal's lumen, near the points. */
  lumen: number;
  /** Half the way from the lumen to compact bone. */
  contrast: number;
}

/** mm around a point in which the lumen is looked for. */
const lumenReach = 1.6;

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
  const lumen = lows.sort((a, b) => a - b)[lows.length >> 1];
  const every = Math.max(1, Math.floor(values.length / 100_000));
  const sample = values.filter((_, at) => at % every === 0).sort();
  const bright = sample[Math.floor(0.9 * sample.length)];
  return { lumen, contrast: Math.max(1, (bright - lumen) / 2) };
}

/** The tube-likeness, as a share of the contrast, at which a sample is as good as any. */
const fullLikeness = 0.25;
/** The cost of 1 mm along the best tube, and what a bright sample adds. */
const leastCost = 0.06;
const brightCost = 2;
/** Shares of the contrast above the lumen at which samples begin to be bright, and are. */
const brightFrom = 0.25;
const brightTo = 0.9;

/** Costs of 1 mm through each sample: low in dark tubes, high elsewhere, highest in compact bone and teeth. */
export function computeCosts({ likeness, blurred }: TubeFields, { lumen, contrast }: CanalGreys): Float32Array {
  return likeness.map((found, at) => {
    const missing = 1 - Math.min(1, found / (fullLikeness * contrast));
    const above = ((blurred[at] - lumen) / contrast - brightFrom) / (brightTo - brightFrom);
    return leastCost + missing * missing + brightCost * Math.max(0, Math.min(1, above));
  });
}

/** mm around a point in which its sample is chosen, and the cost of 1 mm away from it. */
const snapReach = 1.7;
const snapCost = 0.25;

/** The sample of a tube near a point. */
export function snapToTube({ info }: SearchField, costs: Float32Array, point: Vector): Sample {
  const voxel = patientToVoxel(info, point).map(Math.round);
  const { columns, rows } = info;
  let best = Infinity;
  let found: Sample = [voxel[0], voxel[1], voxel[2]];
  visitSamplesAround(info, point, snapReach, (at, far) => {
    const cost = costs[at] + snapCost * far;
    if (cost >= best) return;
    best = cost;
    found = [at % columns, Math.floor(at / columns) % rows, Math.floor(at / (columns * rows))];
  });
  return found;
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
