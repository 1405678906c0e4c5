import type { Point2 } from "../math/shape-functions.ts";

/**
 * Landmarks of a grown head of usual proportions, in mm: x to the face, y up, the middle of the sella at 0, 0, the
 * Frankfort plane level. Lengths and angles follow published norms (Björk 1947, Jarabak 1972, Riolo 1974).
 */
export const meanLandmarks = {
  S: [0, 0],
  N: [69.5, 8.5],
  Or: [58.5, -19.5],
  Po: [-22, -19.5],
  Ba: [-25, -37],
  Pt: [20, -29],
  ANS: [77.5, -49.5],
  PNS: [23, -49],
  A: [72, -55.5],
  U1: [79, -77],
  U1a: [68.5, -56.5],
  L1: [76, -75],
  L1a: [65.5, -95],
  U6: [46.5, -73.5],
  L6: [47, -73.5],
  B: [67, -96],
  Pog: [70.5, -106.5],
  Gn: [69, -111.5],
  Me: [64, -115],
  Go: [-8, -79],
  Ar: [-16, -32],
  Co: [-11, -19],
  NS: [78.5, 9],
  Prn: [101.5, -42],
  Sn: [87, -54],
  Ls: [89.5, -69],
  Li: [87, -84],
  Si: [81.5, -92],
  PogS: [83.5, -107],
  MeS: [74, -120],
} as const satisfies Record<string, Point2>;

export type SkullLandmark = keyof typeof meanLandmarks;
export type SkullLandmarks = Record<SkullLandmark, Point2>;

/** In the order of the network's channels. */
export const skullLandmarkNames = Object.keys(meanLandmarks) as SkullLandmark[];
