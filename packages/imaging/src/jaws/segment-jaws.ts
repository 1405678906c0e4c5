import { jaws, type Jaw } from "../arch/detection/detected-arches.ts";
import type { VoxelGrid } from "../surface/voxel-grid.ts";
import type { TissueLevels } from "../volume/hard-tissue.ts";
import type { VolumeGeometry } from "../volume/volume-geometry.ts";
import { findBoneCrest, type JawArch } from "./bone-crest.ts";
import { fillShells, type ShellLimits } from "./fill-shells.ts";
import { createScene, places, type JawRow, type Scene } from "./jaw-scene.ts";
import { splitAtNecks } from "./split-at-necks.ts";
import { getStrides, growMask, shrinkMask, type VoxelMask } from "./voxel-mask.ts";

/** The bone of a jaw as voxels: 1 inside, `[slice][row][column]`. */
export interface JawBody {
  info: VolumeGeometry;
  inside: Uint8Array;
}

/** The reason that a jaw is not segmented. */
export type MissingJaw =
  /** The crest between the teeth is not seen: crowns cannot be told from bone. */
  | "crestUnseen"
  /** Too little bone, or more than a jaw has. */
  | "implausible"
  /** The jaws are joined by more than a contact. */
  | "notSplit";

/**
 * Segments the bone of both jaws: hard tissue is filled to solids, crowns are cut off at the crest, and the jaws are
 * parted at the narrowest places between them. The upper jaw ends 28 mm over the plane of the teeth.
 * @param coarse voxels of about 0.8 mm; the work takes about 30 bytes for each
 * @param fine the same volume in its own voxels, in which the gaps between teeth are seen
 * @param onStep called before each part of the work with the share that is done; throws to end the work
 */
export function segmentJaws(
  coarse: VoxelGrid,
  fine: VoxelGrid,
  { arches, levels }: JawsFrame,
  onStep: (share: number) => void,
): Record<Jaw, JawBody | MissingJaw> {
  const rows = jaws.flatMap((jaw): JawRow[] => {
    const arch = arches[jaw];
    const crest = arch && findBoneCrest(fine, arch, jaw, levels.bone);
    return arch && crest && crest.seen >= leastSeen ? [{ jaw, arch, crest }] : [];
  });
  if (rows.length === 0) return { upper: "crestUnseen", lower: "crestUnseen" };
  onStep(0.2);
  const scene = createScene(coarse, rows);
  const hard = {
    ...scene.size,
    inside: Uint8Array.from(scene.values, (value, at) => Number(value >= levels.bone && !scene.is(at, places.crown))),
  };
  const limits: ShellLimits = {
    widest: Math.round(widestMarrow / Math.max(...scene.info.spacing)),
    isAir: (at) => scene.values[at] <= levels.air,
  };
  onStep(0.4);
  const solid = fillUnderJoints(scene, hard, limits);
  onStep(0.6);
  const labels = splitAtNecks(solid, listSeeds(scene, solid));
  onStep(0.8);
  const finish = (jaw: Jaw): JawBody | MissingJaw =>
    rows.some((row) => row.jaw === jaw) ? finishJaw(scene, labels, jaw, limits) : "crestUnseen";
  return { upper: finish("upper"), lower: finish("lower") };
}

/** The rows of teeth that were found, and the values that part the tissues of the coarse voxels. */
export interface JawsFrame {
  arches: Record<Jaw, JawArch | null>;
  levels: TissueLevels;
}

/** The share of the places along the teeth at which the crest must be seen. */
const leastSeen = 0.3;
/** mm from the middle of marrow to its wall at most; a sinus and the mouth are wider. */
const widestMarrow = 8;

/**
 * Fills shells, except where the socket of a joint may be around the condyle: filled, the joint would be one bone with
 * it.
 */
function fillUnderJoints(scene: Scene, hard: VoxelMask, limits: ShellLimits): VoxelMask {
  const { inside } = fillShells(hard, limits);
  return {
    ...hard,
    inside: inside.map((value, at) => (value === 1 && (hard.inside[at] === 1 || !scene.is(at, places.joint)) ? 1 : 0)),
  };
}

const labelOf = { upper: 1, lower: 2 } as const;

const listSeeds = (scene: Scene, { inside }: VoxelMask): Uint8Array =>
  inside.map((value, at) => {
    if (value === 0) return 0;
    if (scene.is(at, places.lowerSeed)) return labelOf.lower;
    return scene.is(at, places.upperSeed) ? labelOf.upper : 0;
  });

/** mm³ of a jaw at least, since a field may hold a part of it, and at most. */
const leastVolume = { upper: 3000, lower: 6000 } as const;
const mostVolume = { upper: 90_000, lower: 160_000 } as const;
/** mm² by which jaw and skull may touch where they were parted. */
const mostContact = 160;
/** Voxels by which gaps in a shell are bridged. */
const bridge = 2;

function finishJaw(scene: Scene, labels: Uint8Array, jaw: Jaw, limits: ShellLimits): JawBody | MissingJaw {
  const rough = {
    ...scene.size,
    inside: labels.map((label, at) => (label === labelOf[jaw] && scene.is(at, places[jaw]) ? 1 : 0)),
  };
  const bridged = shrinkMask(fillShells(growMask(rough, bridge), limits), bridge);
  const isFree = (at: number): boolean => labels[at] === 0 && !limits.isAir(at) && scene.is(at, places[jaw]);
  const filled = {
    ...rough,
    inside: rough.inside.map((value, at) => (value === 1 || (bridged.inside[at] === 1 && isFree(at)) ? 1 : 0)),
  };
  const body = keepLargeParts(jaw === "lower" ? openMask(filled) : filled, jaw === "lower" ? 1 : leastPart);
  const [dx, dy, dz] = scene.info.spacing;
  const volume = body.inside.reduce((sum, value) => sum + value, 0) * dx * dy * dz;
  if (volume < leastVolume[jaw] || volume > mostVolume[jaw]) return "implausible";
  if (measureContact(body, labels, jaw) * dx * dy > mostContact) return "notSplit";
  return { info: scene.info, inside: body.inside };
}

/** Removes what is thinner than three voxels: streaks of metal that touch the bone. */
const openMask = (mask: VoxelMask): VoxelMask => {
  const wide = growMask(shrinkMask(mask, 1), 1);
  return { ...mask, inside: wide.inside.map((value, at) => value & mask.inside[at]) };
};

/** The least share of a part of the upper jaw in the largest one: its walls are thinner than the voxels in places. */
const leastPart = 0.02;

/** Keeps the largest connected part, and those that have a share of its size. */
function keepLargeParts(mask: VoxelMask, leastShare: number): VoxelMask {
  const strides = getStrides(mask);
  const partOf = new Int32Array(mask.inside.length);
  const sizes = [0];
  for (let from = 0; from < partOf.length; from++) {
    if (mask.inside[from] === 0 || partOf[from] !== 0) continue;
    const number = sizes.length;
    const waiting = [from];
    partOf[from] = number;
    sizes.push(0);
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      sizes[number]++;
      for (const stride of strides)
        for (const next of [at - stride, at + stride]) {
          if (mask.inside[next] === 0 || partOf[next] !== 0) continue;
          partOf[next] = number;
          waiting.push(next);
        }
    }
  }
  const least = leastShare * sizes.reduce((most, size) => Math.max(most, size), 0);
  return { ...mask, inside: mask.inside.map((value, at) => (value === 1 && sizes[partOf[at]] >= least ? 1 : 0)) };
}

/** The number of faces of a jaw's voxels behind which another body begins. */
function measureContact(body: VoxelMask, labels: Uint8Array, jaw: Jaw): number {
  const strides = getStrides(body);
  const isOther = (at: number): boolean => labels[at] !== 0 && labels[at] !== labelOf[jaw];
  let faces = 0;
  for (let at = 0; at < labels.length; at++) {
    if (body.inside[at] === 0) continue;
    for (const stride of strides) faces += Number(isOther(at - stride)) + Number(isOther(at + stride));
  }
  return faces;
}
