import { boneCover, type BoneCover } from "@arcada/imaging/arch/bone-cover";
import { boneLevels } from "@arcada/imaging/arch/bone-levels";
import type { Body } from "@arcada/imaging/arch/body";
import { pathAt, patientToWall, type ArchPath } from "@arcada/imaging/arch/path";
import type { Vector } from "@arcada/imaging/view/vector";
import type { VolumeStore } from "../volume-store.ts";
import type { BoneState } from "./plan-warnings.ts";

/** mm towards cheek or tongue beyond which an implant does not belong to this arch. */
const ofArch = 20;

const levelsFor = new WeakMap<Int16Array, ReturnType<typeof boneLevels>>();
const coversFor = new WeakMap<Body, { data: Int16Array; outwards: string; cover: BoneCover }>();

/**
 * Checks the bone around an implant by the volume's values as far as they have been loaded; cached while nothing
 * changes.
 */
export function boneAround(store: VolumeStore, body: Body, path: ArchPath | null): BoneState {
  const { grid } = store;
  if (!grid?.isWhole) return "arriving";
  const { data } = grid;
  const known = levelsFor.get(data);
  const levels = known === undefined ? boneLevels(grid) : known;
  levelsFor.set(data, levels);
  if (!levels) return "unjudged";
  const outwards = path && outwardsAt(path, body.head);
  const kept = coversFor.get(body);
  if (kept && kept.data === data && kept.outwards === String(outwards)) return kept.cover;
  const cover = boneCover(grid, levels, body, outwards);
  coversFor.set(body, { data, outwards: String(outwards), cover });
  return cover;
}

function outwardsAt(path: ArchPath, point: Vector): Vector | null {
  const { along, out } = patientToWall(path, point);
  return Math.abs(out) > ofArch ? null : pathAt(path, along).normal;
}
