import type { CephLandmark } from "@arcada/contract/ceph/ceph.schema";

/**
 * The trial of the fitted mean head on radiographs that it was not tuned on, in mm of the head; errors of all landmarks.
 * Drawn: heads of random build and appearance, half of them lying, a third facing left. Real: the only one with known
 * landmarks (19, marked by eye); it was looked at while the method was made. tests/proofs/mean-head-fit.test.ts repeats
 * the drawn trial.
 */
export const meanHeadTrial = {
  drawn: { films: 60, recognised: 55, wrongOrientation: 0, median: 1.6, p90: 6.7 },
  real: { films: 1, median: 4.4, largest: 11.9 },
} as const;

/**
 * The median error of each landmark in the drawn trial, in mm. A landmark is suggested only if it is listed: the others
 * were more than 5 mm off.
 */
export const landmarkErrors: Readonly<Partial<Record<CephLandmark, number>>> = {
  S: 0.9,
  N: 1.5,
  Or: 0.9,
  Po: 3.8,
  Pt: 1.2,
  ANS: 0.8,
  PNS: 1.6,
  A: 0.7,
  U1: 2.7,
  U1a: 0.7,
  L1: 3.7,
  L1a: 1.3,
  U6: 2.5,
  U6D: 1.8,
  L6: 3.8,
  OcA: 2.1,
  OcP: 2.4,
  B: 1.2,
  PM: 1.0,
  Pog: 0.9,
  Gn: 0.9,
  Me: 1.0,
  D: 0.8,
  Go: 3.6,
  Ar: 3.3,
  Co: 4.6,
  GS: 3.3,
  NS: 1.8,
  Prn: 0.9,
  Cm: 2.0,
  Sn: 1.3,
  Ls: 1.9,
  Stms: 1.0,
  Stmi: 1.4,
  Li: 1.6,
  Si: 1.1,
  PogS: 2.3,
  GnS: 0.9,
  MeS: 0.9,
};
