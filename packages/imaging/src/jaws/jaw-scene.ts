import type { Jaw } from "../arch/detection/detected-arches.ts";
import { createLocator } from "../arch/curved-surface-locator.ts";
import { dot, plus, times, type Vector } from "../geometry/vector.ts";
import { createBoxFromCorners, cropGeometry, cropSlices } from "../surface/voxel-box.ts";
import type { VoxelGrid } from "../surface/voxel-grid.ts";
import type { VolumeGeometry } from "../volume/volume-geometry.ts";
import { voxelToPatient } from "../volume/voxel-to-patient.ts";
import type { BoneCrest, JawArch } from "./bone-crest.ts";
import { maskBorder, type VoxelMask } from "./voxel-mask.ts";

/** A row of teeth with the crest of its bone. */
export interface JawRow {
  jaw: Jaw;
  arch: JawArch;
  crest: BoneCrest;
}

/** The voxels around both rows of teeth, and the part of the head in which each lies. */
export interface Scene {
  /** With a border on every side, in which the values are the lowest. */
  size: Omit<VoxelMask, "inside">;
  info: VolumeGeometry;
  values: Int16Array;
  /** True if a voxel lies in one of some parts of the head. */
  is: (at: number, part: number) => boolean;
}

/** The parts of the head in which a voxel may lie; `joint`: so high that the socket of the joint may be around it. */
export const places = { upper: 1, lower: 2, crown: 4, upperSeed: 8, lowerSeed: 16, joint: 32, known: 128 } as const;

/** Cuts the surroundings of the rows out of a volume. */
export function createScene(grid: VoxelGrid, rows: readonly JawRow[]): Scene {
  const cropped = cropAround(grid, rows);
  const { info, values } = cropped;
  const describers = rows.map((row) => createDescriber(row, rows.length === 1));
  const describe = (at: number): number => {
    const [column, row] = [at % info.columns, Math.floor(at / info.columns) % info.rows];
    const point = voxelToPatient(info, [column, row, Math.floor(at / (info.columns * info.rows))]);
    let [sum, all]: [number, number] = [places.known, places.crown];
    for (const describeIn of describers) {
      const own = describeIn(point);
      sum |= own;
      all &= own;
    }
    // The bone of one jaw lies beyond the crowns of the other.
    return (sum & ~places.crown) | all;
  };
  // Most voxels are never asked for.
  const known = new Uint8Array(values.length);
  const is = (at: number, part: number): boolean => {
    if (known[at] === 0) known[at] = describe(at);
    return (known[at] & part) !== 0;
  };
  return { ...cropped, is };
}

/** mm around the rows of teeth, and heights over and under the plane in which they meet, that are examined. */
const around = 24;
const highest = 62;
const lowest = 58;
/** mm to both sides of the line within which a jaw lies; the palate reaches farther inwards. */
const reachOut = { upper: 15, lower: 17 } as const;
const reachIn = { upper: 32, lower: 17 } as const;
/** The upper jaw ends so far over its teeth and behind them, mm: above and behind is the skull. */
const upperHeight = 28;
const upperBehind = 12;

/** mm by which a crest is taken to continue beyond its row, and mm under it at which seeds begin and end. */
const beyondRow = 3;
const seedDepths = [2, 14] as const;
const seedReach = 8;
/** mm over its own teeth at which the bone of the other jaw begins, where its row was not found. */
const otherCrest = 12;
/** mm over the lower teeth above which bone is no lower jaw: in front of the rami, and everywhere. */
const faceHeight = 17;
const skullHeight = 52;
/** mm in front of a row's end behind which a ramus may begin: rows are traced a little too far back. */
const beforeRamus = 14;
/** mm over the lower teeth above which a joint may be, behind them. */
const jointHeight = 20;

/** Tells the place of a point relative to a jaw's row of teeth. */
function createDescriber({ jaw, arch, crest }: JawRow, isAlone: boolean): (point: Vector) => number {
  const locate = createLocator(arch.surface);
  const { up } = arch.surface;
  const [from, to] = jaw === "lower" ? trimRow(arch, crest) : arch.teeth;
  const toDepth = jaw === "lower" ? -1 : 1;
  const seed = jaw === "lower" ? places.lowerSeed : places.upperSeed;
  return (point) => {
    const depth = toDepth * (dot(point, up) - arch.occlusalHeight);
    const { along, out } = locate(point);
    const beyond = Math.max(from - along, along - to);
    const crestDepth = beyond > beyondRow ? -Infinity : readCrest(crest, along - arch.teeth[0]);
    const isInReach = out <= reachOut[jaw] && out >= -reachIn[jaw];
    const isJaw =
      isInReach &&
      depth >= crestDepth &&
      (jaw === "lower" || (depth <= upperHeight && depth >= 0 && beyond <= upperBehind));
    const isCrown = depth < crestDepth && (!isAlone || depth > -otherCrest);
    const isSeed =
      isJaw &&
      Math.abs(out) <= seedReach &&
      beyond <= -beforeRamus &&
      depth >= crestDepth + seedDepths[0] &&
      depth <= crestDepth + seedDepths[1];
    // The face and the skull compete with the condyle for what it touches.
    const isSkull = jaw === "lower" && depth < -(beyond <= -beforeRamus ? faceHeight : skullHeight);
    return (
      (isJaw ? places[jaw] : 0) |
      (isCrown ? places.crown : 0) |
      (isSeed ? seed : 0) |
      (isSkull ? places.upperSeed : 0) |
      (jaw === "lower" && beyond > -beforeRamus && depth < -jointHeight ? places.joint : 0)
    );
  };
}

/**
 * The row of the lower jaw without ends that show no crest: they lie on the rami, which have no necks. Crowns of metal
 * may hide the crest as well, so that only so much is left out.
 */
const trimRow = ({ teeth: [from, to] }: JawArch, { span }: BoneCrest): [number, number] => [
  Math.min(from + beforeRamus, from + span[0]),
  Math.max(to - beforeRamus, from + span[1]),
];

const readCrest = ({ step, depths }: BoneCrest, along: number): number =>
  depths[Math.min(depths.length - 1, Math.max(0, Math.round(along / step)))];

/** The box around the rows with a border, in which the values are the lowest. */
function cropAround(grid: VoxelGrid, rows: readonly JawRow[]): Pick<Scene, "size" | "info" | "values"> {
  const points = rows.flatMap(({ arch: { surface, occlusalHeight } }) =>
    surface.points.flatMap((point) =>
      [occlusalHeight - lowest, occlusalHeight + highest].map((height) => plus(point, times(surface.up, height))),
    ),
  );
  const corner = (pick: (...values: number[]) => number, reach: number): Vector => {
    const edge = (axis: 0 | 1 | 2): number => points.reduce((best, point) => pick(best, point[axis]), points[0][axis]);
    return [edge(0) + reach, edge(1) + reach, edge(2)];
  };
  const box = createBoxFromCorners(grid.info, corner(Math.min, -around), corner(Math.max, around));
  const info = cropGeometry(grid.info, box);
  const values = cropSlices(grid, box, 0, box.count[2]);
  return addBorder(info, values);
}

function addBorder(inner: VolumeGeometry, values: Int16Array): Pick<Scene, "size" | "info" | "values"> {
  const [columns, rows, slices] = [inner.columns, inner.rows, inner.slices].map((count) => count + 2 * maskBorder);
  const origin = voxelToPatient(inner, [-maskBorder, -maskBorder, -maskBorder]);
  const padded = new Int16Array(columns * rows * slices).fill(-32_768);
  for (let slice = 0, from = 0; slice < inner.slices; slice++)
    for (let row = 0; row < inner.rows; row++, from += inner.columns)
      padded.set(
        values.subarray(from, from + inner.columns),
        ((slice + maskBorder) * rows + row + maskBorder) * columns + maskBorder,
      );
  return { size: { columns, rows, slices }, info: { ...inner, columns, rows, slices, origin }, values: padded };
}
