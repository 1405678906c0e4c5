import { distanceToCrown, distanceToTooth, getOcclusalHeight, type ToothShape } from "../anatomy/tooth-shape.ts";
import { distanceToToothOrImplant, getToothMaterial, type ToothMaterial } from "../anatomy/tooth-material.ts";
import type { ToothCondition } from "./varied-dentition.ts";

/** A tooth with its condition and what of its root there is. */
export interface VariedTooth {
  shape: ToothShape;
  condition: ToothCondition;
  rootShare: number;
  /** Height at which a root remains, mm from the neck. */
  brokenAt: number;
  /** Depth of a filling from the biting surface as a share of the crown. */
  fillingDepth: number;
  /** On which side of the middle a filling lies, -1 to 1. */
  fillingSide: number;
}

/** Distance in mm to what stands in the tooth's place, negative inside. */
export function distanceToVariedTooth(tooth: VariedTooth, m: number, b: number, h: number): number {
  const { shape, condition } = tooth;
  if (condition === "implant") return distanceToToothOrImplant(shape, "implant", m, b, h);
  if (condition === "pontic") return distanceToCrown(shape, m, b, h);
  const whole = distanceToTooth(shape, m, b, h);
  if (condition === "rootRemains") return Math.max(whole, h - tooth.brokenAt);
  // A root that is still growing, or is being resorbed, ends flat.
  return tooth.rootShare < 1 ? Math.max(whole, -h - tooth.rootShare * shape.root) : whole;
}

/** The material at a point `-distance` mm under the surface. */
export function getVariedMaterial(
  tooth: VariedTooth,
  distance: number,
  m: number,
  b: number,
  h: number,
): ToothMaterial {
  const { shape, condition } = tooth;
  if (condition === "implant") return getToothMaterial(shape, "implant", distance, m, b, h);
  if (condition === "pontic") return -distance < 1.5 ? "metal" : "ceramic";
  if (condition === "metalCrown" && h > 0.2 && -distance < 1.1) return "metal";
  if (condition === "ceramicCrown" && h > 0.2 && -distance < 1.5) return "ceramic";
  if ((condition === "filled" || condition === "rootFilled") && isInFilling(tooth, m, b, h)) return "filling";
  const inner = getToothMaterial(shape, "sound", distance, m, b, h);
  return inner === "pulp" && condition === "rootFilled" ? (h > -1 ? "dentine" : "rootFilling") : inner;
}

function isInFilling({ shape, fillingDepth, fillingSide }: VariedTooth, m: number, b: number, h: number): boolean {
  if (h < 0.3) return false;
  const depth = getOcclusalHeight(shape, m, b) - h;
  const middle = fillingSide * shape.width * 0.28;
  return (
    depth < fillingDepth * shape.crown && Math.abs(b) < shape.depth * 0.24 && Math.abs(m - middle) < shape.width * 0.24
  );
}
