import { cephLandmarks, type CephLandmark } from "@arcada/contract/ceph/ceph.schema";
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

/**
 * The usual order of marking a cephalogram: along the base of the skull, the upper jaw, the teeth, the lower jaw, the
 * skin.
 */
const placingOrder: readonly CephLandmark[] = [
  "S",
  "N",
  "Or",
  "Po",
  "Ba",
  "Pt",
  "ANS",
  "PNS",
  "A",
  "U1",
  "U1a",
  "L1",
  "L1a",
  "U6",
  "U6D",
  "L6",
  "OcA",
  "OcP",
  "B",
  "PM",
  "Pog",
  "Gn",
  "Me",
  "D",
  "Go",
  "Xi",
  "Ar",
  "Co",
  "DC",
  "GS",
  "NS",
  "Prn",
  "Cm",
  "Sn",
  "Ls",
  "Stms",
  "Stmi",
  "Li",
  "Si",
  "PogS",
  "GnS",
  "MeS",
  "C",
];

const skinLandmarks: ReadonlySet<CephLandmark> = new Set(placingOrder.slice(placingOrder.indexOf("GS")));

/** The nineteen of the grand challenges at ISBI 2014 and 2015, with which most of an analysis can be made. */
const challengeLandmarks: ReadonlySet<CephLandmark> = new Set(cephLandmarks.slice(0, 19));

export interface LandmarkInfo {
  id: CephLandmark;
  tissue: "bone" | "skin";
  /** One of the nineteen landmarks that are requested first. */
  isUsual: boolean;
}

/** Every landmark in the order of placing; texts/ceph.json has its name and explanation under its id. */
export const landmarkInfos: readonly LandmarkInfo[] = placingOrder.map((id) => ({
  id,
  tissue: skinLandmarks.has(id) ? "skin" : "bone",
  isUsual: challengeLandmarks.has(id),
}));
