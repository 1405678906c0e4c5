import { estimateBoneCoverage, type BoneCoverage } from "@arcada/imaging/implant/bone-coverage";
import { findBoneLevels } from "@arcada/imaging/implant/bone-grey-thresholds";
import type { ImplantBody } from "@arcada/imaging/implant/implant-body";
import { sampleCurvedSurface, patientToCurvedSurface, type CurvedSurface } from "@arcada/imaging/arch/curved-surface";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { VolumeStore } from "../../loading/volume-store.ts";
import type { BoneState } from "./plan-warnings.ts";

/** mm towards cheek or tongue beyond which an implant does not belong to this arch. */
const maxDistanceFromArch = 20;

const levelsCache = new WeakMap<Int16Array, ReturnType<typeof findBoneLevels>>();
const coverCache = new WeakMap<ImplantBody, { data: Int16Array; outwards: string; cover: BoneCoverage }>();

/**
 * Checks the bone around an implant by the volume's values as far as they have been loaded; cached while nothing
 * changes.
 */
export function checkBoneAround(store: VolumeStore, body: ImplantBody, path: CurvedSurface | null): BoneState {
  const { grid } = store;
  if (!grid?.isWhole) return "arriving";
  const { data } = grid;
  const known = levelsCache.get(data);
  const levels = known === undefined ? findBoneLevels(grid) : known;
  levelsCache.set(data, levels);
  if (!levels) return "unjudged";
  const outwards = path && findOutwardDirection(path, body.head);
  const cached = coverCache.get(body);
  if (cached && cached.data === data && cached.outwards === String(outwards)) return cached.cover;
  const cover = estimateBoneCoverage(grid, levels, body, outwards);
  coverCache.set(body, { data, outwards: String(outwards), cover });
  return cover;
}

function findOutwardDirection(path: CurvedSurface, point: Vector): Vector | null {
  const { along, out } = patientToCurvedSurface(path, point);
  return Math.abs(out) > maxDistanceFromArch ? null : sampleCurvedSurface(path, along).normal;
}
