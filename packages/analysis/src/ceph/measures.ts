import type { CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import type { LandmarkPoints } from "./normalised-tracing.ts";
import {
  distanceAlong,
  angleAt,
  distance,
  midpoint,
  signedDistanceToLine,
  signedAngle,
  fullAngle,
  type Point,
} from "./plane-geometry.ts";

export type CephUnit = "degrees" | "mm" | "percent";

export interface CephMeasure {
  unit: CephUnit;
  needs: readonly CephLandmark[];
  /** Degrees, percent, or lengths in the frame's unit. */
  compute: (points: Record<CephLandmark, Point>) => number;
  /** A measure that changes its sign, or becomes another, when left and right are mistaken. */
  isSided: boolean;
  /** The difference between two dentists (Dahlberg's error of 150 cephalograms); null if no value is published. */
  error: number | null;
}

type RequiredPoints = Record<CephLandmark, Point>;
interface MeasureOptions {
  error?: number;
  isSided?: boolean;
}
const measureWith =
  (unit: CephUnit) =>
  (
    needs: readonly CephLandmark[],
    compute: (points: RequiredPoints) => number,
    { error, isSided = true }: MeasureOptions = {},
  ): CephMeasure => ({
    unit,
    needs,
    compute,
    isSided,
    error: error ?? null,
  });
const degrees = measureWith("degrees");
const mm = measureWith("mm");
const percent = measureWith("percent");
const sideIndependent = { isSided: false } as const;

// Planes, from their hind to their fore end.
const frankfurtPlane = (points: RequiredPoints) => [points.Po, points.Or] as const;
const sellaNasion = (points: RequiredPoints) => [points.S, points.N] as const;
const palatalPlane = (points: RequiredPoints) => [points.PNS, points.ANS] as const;
const mandibularPlane = (points: RequiredPoints) => [points.Go, points.Me] as const;
const occlusalPlane = (points: RequiredPoints) => [points.OcP, points.OcA] as const;
const upperIncisorAxis = (points: RequiredPoints) => [points.U1a, points.U1] as const;
const lowerIncisorAxis = (points: RequiredPoints) => [points.L1a, points.L1] as const;
const reverse = ([a, b]: readonly [Point, Point]) => [b, a] as const;

/**
 * Every measure as a row. Definitions: Steiner 1953, Downs 1948, Tweed 1954, Ricketts 1981, McNamara 1984, Jarabak 1972,
 * Jacobson 1975, Mills 1970, Kim 1974 and 1978. Signs as in `Point`: a face on the right, y downwards.
 */
export const cephMeasures = {
  SNA: degrees(["S", "N", "A"], (points) => angleAt(points.S, points.N, points.A), { error: 1.5, ...sideIndependent }),
  SNB: degrees(["S", "N", "B"], (points) => angleAt(points.S, points.N, points.B), { error: 1.1, ...sideIndependent }),
  ANB: degrees(
    ["S", "N", "A", "B"],
    (points) => angleAt(points.S, points.N, points.A) - angleAt(points.S, points.N, points.B),
    {
      error: 0.9,
      ...sideIndependent,
    },
  ),
  SND: degrees(["S", "N", "D"], (points) => angleAt(points.S, points.N, points.D), sideIndependent),
  SN_GoGn: degrees(["S", "N", "Go", "Gn"], (points) => signedAngle(...sellaNasion(points), points.Go, points.Gn), {
    error: 1.5,
  }),
  SN_MP: degrees(["S", "N", "Go", "Me"], (points) => signedAngle(...sellaNasion(points), ...mandibularPlane(points))),
  SN_PP: degrees(["S", "N", "PNS", "ANS"], (points) => signedAngle(...sellaNasion(points), ...palatalPlane(points))),
  SN_Occ: degrees(["S", "N", "OcP", "OcA"], (points) => signedAngle(...sellaNasion(points), ...occlusalPlane(points))),
  U1_NA: degrees(["U1", "U1a", "N", "A"], (points) => signedAngle(...upperIncisorAxis(points), points.N, points.A)),
  U1_NA_mm: mm(["U1", "N", "A"], (points) => signedDistanceToLine(points.U1, points.N, points.A), { error: 1.2 }),
  L1_NB: degrees(["L1", "L1a", "N", "B"], (points) => signedAngle(points.B, points.N, ...lowerIncisorAxis(points))),
  L1_NB_mm: mm(["L1", "N", "B"], (points) => signedDistanceToLine(points.L1, points.N, points.B), { error: 0.6 }),
  U1_L1: degrees(["U1", "U1a", "L1", "L1a"], (points) =>
    fullAngle(...reverse(lowerIncisorAxis(points)), ...reverse(upperIncisorAxis(points))),
  ),
  Pog_NB_mm: mm(["Pog", "N", "B"], (points) => signedDistanceToLine(points.Pog, points.N, points.B)),

  facialAngle: degrees(
    ["Po", "Or", "N", "Pog"],
    (points) => signedAngle(points.N, points.Pog, ...reverse(frankfurtPlane(points))),
    { error: 1 },
  ),
  convexity: degrees(["N", "A", "Pog"], (points) => signedAngle(points.N, points.A, points.A, points.Pog), {
    error: 1.9,
  }),
  AB_NPog: degrees(["A", "B", "N", "Pog"], (points) => signedAngle(points.A, points.B, points.N, points.Pog)),
  FMA: degrees(
    ["Po", "Or", "Go", "Me"],
    (points) => signedAngle(...frankfurtPlane(points), ...mandibularPlane(points)),
    { error: 1.2 },
  ),
  yAxis: degrees(["Po", "Or", "S", "Gn"], (points) => signedAngle(...frankfurtPlane(points), points.S, points.Gn), {
    error: 0.9,
  }),
  Occ_FH: degrees(["Po", "Or", "OcP", "OcA"], (points) =>
    signedAngle(...frankfurtPlane(points), ...occlusalPlane(points)),
  ),
  L1_Occ: degrees(
    ["L1", "L1a", "OcP", "OcA"],
    (points) => 90 + signedAngle(...occlusalPlane(points), ...lowerIncisorAxis(points)),
  ),
  L1_MP: degrees(
    ["L1", "L1a", "Go", "Me"],
    (points) => signedAngle(...reverse(mandibularPlane(points)), ...lowerIncisorAxis(points)) - 90,
  ),
  U1_APog_mm: mm(["U1", "A", "Pog"], (points) => signedDistanceToLine(points.U1, points.A, points.Pog)),

  IMPA: degrees(["L1", "L1a", "Go", "Me"], (points) =>
    signedAngle(...reverse(mandibularPlane(points)), ...lowerIncisorAxis(points)),
  ),
  FMIA: degrees(["L1", "L1a", "Po", "Or"], (points) =>
    signedAngle(...reverse(lowerIncisorAxis(points)), ...reverse(frankfurtPlane(points))),
  ),

  facialAxis: degrees(["Ba", "N", "Pt", "Gn"], (points) => signedAngle(points.Pt, points.Gn, points.N, points.Ba)),
  convexity_mm: mm(["A", "N", "Pog"], (points) => signedDistanceToLine(points.A, points.N, points.Pog)),
  lowerFace: degrees(["ANS", "Xi", "PM"], (points) => angleAt(points.ANS, points.Xi, points.PM), sideIndependent),
  mandibularArc: degrees(["DC", "Xi", "PM"], (points) => signedAngle(points.PM, points.Xi, points.Xi, points.DC)),
  L1_APog_mm: mm(["L1", "A", "Pog"], (points) => signedDistanceToLine(points.L1, points.A, points.Pog)),
  L1_APog: degrees(["L1", "L1a", "A", "Pog"], (points) =>
    signedAngle(points.Pog, points.A, ...lowerIncisorAxis(points)),
  ),
  U6_PTV_mm: mm(
    ["U6D", "Pt", "Po", "Or"],
    (points) =>
      distanceAlong(points.U6D, ...frankfurtPlane(points)) - distanceAlong(points.Pt, ...frankfurtPlane(points)),
  ),
  Li_E_mm: mm(["Li", "Prn", "PogS"], (points) => signedDistanceToLine(points.Li, points.Prn, points.PogS)),

  A_NPerp_mm: mm(
    ["A", "N", "Po", "Or"],
    (points) => distanceAlong(points.A, ...frankfurtPlane(points)) - distanceAlong(points.N, ...frankfurtPlane(points)),
    {
      error: 1.2,
    },
  ),
  Pog_NPerp_mm: mm(
    ["Pog", "N", "Po", "Or"],
    (points) =>
      distanceAlong(points.Pog, ...frankfurtPlane(points)) - distanceAlong(points.N, ...frankfurtPlane(points)),
    {
      error: 1.8,
    },
  ),
  Co_A_mm: mm(["Co", "A"], (points) => distance(points.Co, points.A), sideIndependent),
  Co_Gn_mm: mm(["Co", "Gn"], (points) => distance(points.Co, points.Gn), sideIndependent),
  ANS_Me_mm: mm(["ANS", "Me"], (points) => distance(points.ANS, points.Me), sideIndependent),

  saddle: degrees(["N", "S", "Ar"], (points) => fullAngle(points.S, points.N, points.S, points.Ar)),
  articular: degrees(["S", "Ar", "Go"], (points) => fullAngle(points.Ar, points.S, points.Ar, points.Go), {
    error: 2.5,
  }),
  gonial: degrees(["Ar", "Go", "Me"], (points) => fullAngle(points.Go, points.Ar, points.Go, points.Me), {
    error: 1.7,
  }),
  bjorkSum: degrees(
    ["N", "S", "Ar", "Go", "Me"],
    (points) =>
      fullAngle(points.S, points.N, points.S, points.Ar) +
      fullAngle(points.Ar, points.S, points.Ar, points.Go) +
      fullAngle(points.Go, points.Ar, points.Go, points.Me),
  ),
  jarabak: percent(
    ["S", "Go", "N", "Me"],
    (points) => (100 * distance(points.S, points.Go)) / distance(points.N, points.Me),
    {
      error: 1.3,
      ...sideIndependent,
    },
  ),

  wits_mm: mm(
    ["A", "B", "OcP", "OcA"],
    (points) => distanceAlong(points.A, ...occlusalPlane(points)) - distanceAlong(points.B, ...occlusalPlane(points)),
  ),

  ANB_mills: degrees(
    ["S", "N", "A", "B"],
    // Mills 1970: half a degree for each degree by which SNA is more than 81.
    (points) =>
      angleAt(points.S, points.N, points.A) -
      angleAt(points.S, points.N, points.B) -
      (angleAt(points.S, points.N, points.A) - 81) / 2,
    sideIndependent,
  ),
  MMPA: degrees(["PNS", "ANS", "Go", "Me"], (points) =>
    signedAngle(...palatalPlane(points), ...mandibularPlane(points)),
  ),
  U1_Mx: degrees(["U1", "U1a", "PNS", "ANS"], (points) =>
    signedAngle(...upperIncisorAxis(points), ...reverse(palatalPlane(points))),
  ),
  LAFH: percent(
    ["N", "ANS", "PNS", "Me"],
    (points) => {
      const [above, below] = [
        Math.abs(signedDistanceToLine(points.N, ...palatalPlane(points))),
        Math.abs(signedDistanceToLine(points.Me, ...palatalPlane(points))),
      ];
      return (100 * below) / (above + below);
    },
    { error: 0.9, ...sideIndependent },
  ),

  PP_FH: degrees(["PNS", "ANS", "Po", "Or"], (points) =>
    signedAngle(...frankfurtPlane(points), ...palatalPlane(points)),
  ),
  ODI: degrees(
    ["A", "B", "Go", "Me", "PNS", "ANS", "Po", "Or"],
    (points) =>
      signedAngle(...reverse(mandibularPlane(points)), points.B, points.A) +
      signedAngle(...frankfurtPlane(points), ...palatalPlane(points)),
    { error: 2.5 },
  ),
  APDI: degrees(
    ["Po", "Or", "N", "Pog", "A", "B", "PNS", "ANS"],
    (points) =>
      signedAngle(points.N, points.Pog, ...reverse(frankfurtPlane(points))) +
      signedAngle(points.A, points.B, points.N, points.Pog) +
      signedAngle(...frankfurtPlane(points), ...palatalPlane(points)),
    { error: 1.8 },
  ),

  Ls_E_mm: mm(["Ls", "Prn", "PogS"], (points) => signedDistanceToLine(points.Ls, points.Prn, points.PogS)),
  nasolabial: degrees(["Cm", "Sn", "Ls"], (points) => angleAt(points.Cm, points.Sn, points.Ls), sideIndependent),
} as const satisfies Record<string, CephMeasure>;

export type CephMeasureName = keyof typeof cephMeasures;
export const cephMeasureNames = Object.keys(cephMeasures) as CephMeasureName[];

/**
 * If the occlusal plane is not marked, it may be derived from the middles of the first molars' cusps and the incisors'
 * edges.
 */
export function withDefaultOcclusalPlane(points: LandmarkPoints): LandmarkPoints {
  const { OcA, OcP, U6, L6, U1, L1 } = points;
  if ((OcA && OcP) || !U6 || !L6 || !U1 || !L1) return points;
  return { ...points, OcP: midpoint(U6, L6), OcA: midpoint(U1, L1) };
}
