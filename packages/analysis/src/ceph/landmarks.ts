import type { CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import type { Point } from "./plane-geometry.ts";

/**
 * The position of each landmark in a drawn head of usual form, in mm: x to the face, y downwards, origin between the
 * ears. It serves to find the side of a face and the area to look at; no measurement uses it.
 */
export const referenceLandmarks: Readonly<Record<CephLandmark, Point>> = {
  S: [-24, -75],
  N: [48, -84],
  Or: [35, -55],
  Po: [-46, -56],
  ANS: [54, -24],
  PNS: [2, -24],
  A: [48.5, -19],
  U1: [55, 3],
  U1a: [45, -19],
  L1: [52, 1],
  L1a: [41.5, 20],
  B: [43, 21],
  Pog: [46.5, 31],
  Gn: [45, 36.5],
  Me: [40, 40],
  Go: [-25, 24],
  Ar: [-41, -26],
  Co: [-44, -37],
  Ba: [-47, -42],
  Pt: [-3.5, -45],
  Xi: [-18, 0],
  PM: [44.8, 26],
  D: [39, 30],
  DC: [-42, -34],
  U6: [21, 1],
  L6: [21.5, 0.5],
  U6D: [15, -3],
  OcP: [16, 0],
  OcA: [40, 2],
  GS: [59, -100],
  NS: [54.5, -86],
  Prn: [77.5, -32],
  Cm: [71, -24.5],
  Sn: [63, -20],
  Ls: [65, -8],
  Stms: [61, -1.8],
  Stmi: [61, 0],
  Li: [63, 9],
  Si: [57.5, 17],
  PogS: [59.5, 30],
  GnS: [57.5, 38],
  MeS: [53, 43],
  C: [22, 52.5],
};

/** The parts of a head in the usual order of marking a cephalogram, each with its landmarks in their order. */
const landmarksByRegion = {
  skullBase: ["S", "N", "Or", "Po", "Ba", "Pt"],
  upperJaw: ["ANS", "PNS", "A"],
  teeth: ["U1", "U1a", "L1", "L1a", "U6", "U6D", "L6", "OcA", "OcP"],
  lowerJaw: ["B", "PM", "Pog", "Gn", "Me", "D", "Go", "Xi", "Ar", "Co", "DC"],
  skin: ["GS", "NS", "Prn", "Cm", "Sn", "Ls", "Stms", "Stmi", "Li", "Si", "PogS", "GnS", "MeS", "C"],
} as const satisfies Record<string, readonly CephLandmark[]>;
type LandmarkRegion = keyof typeof landmarksByRegion;

export const landmarkRegions = Object.keys(landmarksByRegion) as LandmarkRegion[];

export interface LandmarkInfo {
  id: CephLandmark;
  region: LandmarkRegion;
}

/** Every landmark in the order of placing; texts/ceph.json has its name and explanation under its id. */
export const landmarkInfos: readonly LandmarkInfo[] = landmarkRegions.flatMap((region) =>
  landmarksByRegion[region].map((id) => ({ id, region })),
);
