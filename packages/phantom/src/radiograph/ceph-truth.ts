import { landmarkPositions } from "./ceph-anatomy.ts";
import type { Point2 } from "../math/shape-functions.ts";

/**
 * All landmarks of the drawn head, in mm at scale 1: first number to the face, second up. Teeth stand as `addCephTeeth`
 * draws them, skin as `facialProfile` does.
 */
export const cephTruth = {
  ...landmarkPositions,
  Ba: [-47, 42],
  Pt: [-3.5, 45],
  U1: [55, -3],
  U1a: [45, 19],
  L1: [52, -1],
  L1a: [41.5, -20],
  U6: [23.4, 0.4],
  L6: [23.4, -0.4],
  U6D: [15.5, 3.5],
  OcP: [20.7, 0],
  OcA: [36, 0],
  PM: [44.8, -26],
  D: [38, -30],
  Xi: [-29.5, -2],
  DC: [-39, 31],
  GS: [59, 100],
  NS: [54.5, 86],
  Prn: [77.5, 32],
  Cm: [72, 26],
  Sn: [63, 21],
  Ls: [65, 6],
  Stms: [61, 1.5],
  Stmi: [60.5, 0.5],
  Li: [63, -9],
  Si: [57.5, -17],
  PogS: [59.5, -32],
  GnS: [57, -38.5],
  MeS: [53, -43],
  C: [22, -52.5],
} as const satisfies Record<string, Point2>;
