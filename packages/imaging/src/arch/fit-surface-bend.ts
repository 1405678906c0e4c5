import { patientToVoxel } from "../volume/voxel-to-patient.ts";
import { outsideValue, createTrilinearSampler } from "../volume/trilinear-sampler.ts";
import { dot, plus, times } from "../geometry/vector.ts";
import { cornersOf, type VolumeGeometry } from "../volume/volume-geometry.ts";
import { interpolateBend, type SurfaceBend } from "./surface-bend.ts";
import { computeTissueLevels } from "../volume/hard-tissue.ts";
import { sampleCurvedSurface, patientToCurvedSurface, type CurvedSurface } from "./curved-surface.ts";

/** mm between two samples of a bend, and its largest distance from the curved surface. */
const step = 3;
const maxOffset = 8;
/** mm over and under the level of the necks. */
const [aboveNecks, belowNecks] = [54, 42];
/** mm to both sides of the curved surface in which bone and teeth are searched, every millimetre. */
const reach = 14;
const depths = 2 * reach + 1;

/**
 * Finds the layer through the middle of the hard tissue: the crowns, their roots, and below them the chin. Bone and
 * teeth near the layer pull it to their middle (mean shift), stiffness keeps it smooth, and where there are none it
 * returns to the upright curved surface.
 * @param values `[slice][row][column]`; a quarter of a CBCT's resolution is enough and intended
 * @returns null where the values have no hard tissue of their own
 */
export function fitBend(geometry: VolumeGeometry, values: Int16Array, path: CurvedSurface): SurfaceBend | null {
  const profiles = sampleProfiles(geometry, values, path);
  if (!profiles) return null;
  const { columns, rows, low, hard } = profiles;
  const out = new Float64Array(columns * rows);
  const [middle, weight] = [new Float64Array(out.length), new Float64Array(out.length)];
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < out.length; at++) {
      const isBelow = low + Math.floor(at / columns) * step < path.level - boneOnlyDepth;
      findPullMiddle(hard, at, out[at], isBelow ? bonePull : teethPull, middle, weight);
    }
    relax(out, middle, weight, columns, rows);
  }
  return { columns, rows, low, step, out: Array.from(out, (mm) => Math.round(mm * 100) / 100) };
}

const rounds = 5;

/** Returns the same layer relative to a surface that was moved in front of the original one. */
export function transferBend(bend: SurfaceBend, path: CurvedSurface, curvedSurface: CurvedSurface): SurfaceBend {
  const columns = Math.ceil(curvedSurface.length / step) + 1;
  const alongPositions = Array.from(
    { length: columns },
    (_, at) => patientToCurvedSurface(path, sampleCurvedSurface(curvedSurface, at * step).point).along,
  );
  const out = Array.from({ length: columns * bend.rows }, (_, at) =>
    interpolateBend(bend, alongPositions[at % columns], bend.low + Math.floor(at / columns) * step),
  );
  return { ...bend, columns, out };
}

interface Profiles {
  columns: number;
  rows: number;
  low: number;
  /** `[row][column][depth]`: how strongly a position pulls. */
  hard: Float32Array;
}

function sampleProfiles(geometry: VolumeGeometry, values: Int16Array, path: CurvedSurface): Profiles | null {
  const levels = getCachedLevels(values);
  if (!levels) return null;
  const heights = cornersOf(geometry).map((corner) => dot(corner, path.up));
  const low = Math.max(Math.min(...heights), path.level - belowNecks);
  const high = Math.min(Math.max(...heights), path.level + aboveNecks);
  const [columns, rows] = [Math.ceil(path.length / step) + 1, Math.floor((high - low) / step) + 1];
  if (rows < 4 || columns < 4) return null;
  const hard = new Float32Array(columns * rows * depths);
  const valueAt = createTrilinearSampler(values, geometry);
  const zero = patientToVoxel(geometry, [0, 0, 0]);
  const toVoxelDirection = (x: number, y: number, z: number) => {
    const [i, j, k] = patientToVoxel(geometry, [x, y, z]);
    return [i - zero[0], j - zero[1], k - zero[2]] as const;
  };
  const upwards = toVoxelDirection(...times(path.up, 1));
  for (let column = 0; column < columns; column++) {
    for (const beside of subsamples) {
      const { point, normal } = sampleCurvedSurface(path, (column + beside) * step);
      const outwards = toVoxelDirection(...times(normal, 1));
      const start = patientToVoxel(geometry, plus(point, times(normal, -reach)));
      for (let row = 0; row < rows; row++) {
        for (const above of subsamples) {
          const height = low + (row + above) * step;
          let [i, j, k] = [0, 1, 2].map((axis) => start[axis] + height * upwards[axis]) as [number, number, number];
          const from = (row * columns + column) * depths;
          for (let depth = 0; depth < depths; depth++) {
            const value = valueAt(i, j, k);
            if (value > levels.bone && value !== outsideValue)
              hard[from + depth] +=
                subsampleShare * computePull((value - levels.bone) / (levels.dentine - levels.bone));
            i += outwards[0];
            j += outwards[1];
            k += outwards[2];
          }
        }
      }
    }
  }
  return { columns, rows, low, hard };
}

/** Dentine, which has a hardness of 1, draws more than the bone around a root, and metal hardly more than enamel. */
const computePull = (hardness: number): number => Math.min(1.5, hardness) ** 2;

/** Each place is the mean of four around it, as shares of a step. */
const subsamples = [-0.25, 0.25];
const subsampleShare = 1 / subsamples.length ** 2;

const levelsCache = new WeakMap<Int16Array, ReturnType<typeof computeTissueLevels>>();
function getCachedLevels(values: Int16Array): ReturnType<typeof computeTissueLevels> {
  const levels = levelsCache.has(values) ? (levelsCache.get(values) ?? null) : computeTissueLevels(values);
  levelsCache.set(values, levels);
  return levels;
}

/**
 * `nearness`: the mm within which tissue pulls more strongly; `plenty`: the mm of full hardness that pull with full
 * weight.
 */
interface PullRange {
  nearness: number;
  plenty: number;
}
const teethPull: PullRange = { nearness: 3, plenty: 4 };
/** Far below the necks only the lower jaw is near. Both its cortical plates pull; they may be 15 mm apart. */
const bonePull: PullRange = { nearness: 7, plenty: 0.6 };
/** mm below the necks. */
const boneOnlyDepth = 16;

/** The middle of the hard tissue around the layer at one place, and its pull. */
function findPullMiddle(
  hard: Float32Array,
  at: number,
  layer: number,
  { nearness, plenty }: PullRange,
  middle: Float64Array,
  weight: Float64Array,
): void {
  let [mass, moment] = [0, 0];
  for (let depth = 0; depth < depths; depth++) {
    const found = hard[at * depths + depth];
    if (found === 0) continue;
    const out = depth - reach;
    const near = found * Math.exp(-0.5 * ((out - layer) / nearness) ** 2);
    mass += near;
    moment += near * out;
  }
  middle[at] = mass > 0 ? moment / mass : 0;
  weight[at] = Math.min(1, mass / plenty) ** 2;
}

const stiffness = { along: 1.5, height: 0.5 };
/** The pull of the upright curved surface, everywhere. */
const uprightPull = 0.01;
const relaxationRuns = 20;

/** Least weight · (out − middle)² + upright · out² + stiffness · (second differences)², each place in turn (Gauss-Seidel). */
function relax(out: Float64Array, middle: Float64Array, weight: Float64Array, columns: number, rows: number): void {
  for (let run = 0; run < relaxationRuns; run++) {
    for (let row = 0, at = 0; row < rows; row++) {
      const holdRow = stiffness.height * getStiffnessCoefficient(row, rows) + uprightPull;
      for (let column = 0; column < columns; column++, at++) {
        const pull =
          weight[at] * middle[at] +
          stiffness.along * getNeighbourPull(out, at, 1, column, columns) +
          stiffness.height * getNeighbourPull(out, at, columns, row, rows);
        const hold = weight[at] + holdRow + stiffness.along * getStiffnessCoefficient(column, columns);
        out[at] = Math.min(maxOffset, Math.max(-maxOffset, pull / hold));
      }
    }
  }
}

/**
 * Returns the coefficient of one sample's square in the sum of all squared second differences of a row of `count`
 * samples.
 */
const getStiffnessCoefficient = (place: number, count: number): number => {
  const edge = Math.min(place, count - 1 - place);
  return edge === 0 ? 1 : edge === 1 ? 5 : 6;
};

/** Returns the neighbours' contribution to the same sum at this sample. */
function getNeighbourPull(out: Float64Array, at: number, stride: number, place: number, count: number): number {
  let pull = 0;
  if (place > 1) pull += 2 * out[at - stride] - out[at - 2 * stride];
  if (place > 0 && place < count - 1) pull += 2 * (out[at - stride] + out[at + stride]);
  if (place < count - 2) pull += 2 * out[at + stride] - out[at + 2 * stride];
  return pull;
}
