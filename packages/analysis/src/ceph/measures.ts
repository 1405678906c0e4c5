import type { CephLandmark } from "@arcada/contract/ceph/ceph.shape";
import type { Places } from "./frame.ts";
import { along, angle3, distance, middle, off, turn, wholeTurn, type Place } from "./geometry.ts";

export type CephUnit = "degrees" | "mm" | "percent";

export interface CephMeasure {
  unit: CephUnit;
  needs: readonly CephLandmark[];
  /** Degrees, percent, or lengths in the frame's unit. */
  of: (at: Record<CephLandmark, Place>) => number;
  /** A measure that changes its sign, or becomes another, when left and right are mistaken. */
  isSided: boolean;
  /** The difference between two dentists (Dahlberg's error of 150 cephalograms); null if no value is published. */
  error: number | null;
}

type At = Record<CephLandmark, Place>;
interface More {
  error?: number;
  isSided?: boolean;
}
const row =
  (unit: CephUnit) =>
  (needs: readonly CephLandmark[], of: (at: At) => number, { error, isSided = true }: More = {}): CephMeasure => ({
    unit,
    needs,
    of,
    isSided,
    error: error ?? null,
  });
const degrees = row("degrees");
const mm = row("mm");
const percent = row("percent");
const unsided = { isSided: false } as const;

// Planes, from their hind to their fore end.
const frankfurt = (at: At) => [at.Po, at.Or] as const;
const skullBase = (at: At) => [at.S, at.N] as const;
const palate = (at: At) => [at.PNS, at.ANS] as const;
const jaw = (at: At) => [at.Go, at.Me] as const;
const occlusal = (at: At) => [at.OcP, at.OcA] as const;
const upperTooth = (at: At) => [at.U1a, at.U1] as const;
const lowerTooth = (at: At) => [at.L1a, at.L1] as const;
const back = ([a, b]: readonly [Place, Place]) => [b, a] as const;

/**
 * Every measure as a row. Definitions: Steiner 1953, Downs 1948, Tweed 1954, Ricketts 1981, McNamara 1984, Jarabak 1972,
 * Jacobson 1975, Mills 1970, Kim 1974 and 1978. Signs as in `Place`: a face on the right, y downwards.
 */
export const cephMeasures = {
  SNA: degrees(["S", "N", "A"], (at) => angle3(at.S, at.N, at.A), { error: 1.5, ...unsided }),
  SNB: degrees(["S", "N", "B"], (at) => angle3(at.S, at.N, at.B), { error: 1.1, ...unsided }),
  ANB: degrees(["S", "N", "A", "B"], (at) => angle3(at.S, at.N, at.A) - angle3(at.S, at.N, at.B), {
    error: 0.9,
    ...unsided,
  }),
  SND: degrees(["S", "N", "D"], (at) => angle3(at.S, at.N, at.D), unsided),
  SN_GoGn: degrees(["S", "N", "Go", "Gn"], (at) => turn(...skullBase(at), at.Go, at.Gn), { error: 1.5 }),
  SN_MP: degrees(["S", "N", "Go", "Me"], (at) => turn(...skullBase(at), ...jaw(at))),
  SN_PP: degrees(["S", "N", "PNS", "ANS"], (at) => turn(...skullBase(at), ...palate(at))),
  SN_Occ: degrees(["S", "N", "OcP", "OcA"], (at) => turn(...skullBase(at), ...occlusal(at))),
  U1_NA: degrees(["U1", "U1a", "N", "A"], (at) => turn(...upperTooth(at), at.N, at.A)),
  U1_NA_mm: mm(["U1", "N", "A"], (at) => off(at.U1, at.N, at.A), { error: 1.2 }),
  L1_NB: degrees(["L1", "L1a", "N", "B"], (at) => turn(at.B, at.N, ...lowerTooth(at))),
  L1_NB_mm: mm(["L1", "N", "B"], (at) => off(at.L1, at.N, at.B), { error: 0.6 }),
  U1_L1: degrees(["U1", "U1a", "L1", "L1a"], (at) => wholeTurn(...back(lowerTooth(at)), ...back(upperTooth(at)))),
  Pog_NB_mm: mm(["Pog", "N", "B"], (at) => off(at.Pog, at.N, at.B)),

  facialAngle: degrees(["Po", "Or", "N", "Pog"], (at) => turn(at.N, at.Pog, ...back(frankfurt(at))), { error: 1 }),
  convexity: degrees(["N", "A", "Pog"], (at) => turn(at.N, at.A, at.A, at.Pog), { error: 1.9 }),
  AB_NPog: degrees(["A", "B", "N", "Pog"], (at) => turn(at.A, at.B, at.N, at.Pog)),
  FMA: degrees(["Po", "Or", "Go", "Me"], (at) => turn(...frankfurt(at), ...jaw(at)), { error: 1.2 }),
  yAxis: degrees(["Po", "Or", "S", "Gn"], (at) => turn(...frankfurt(at), at.S, at.Gn), { error: 0.9 }),
  Occ_FH: degrees(["Po", "Or", "OcP", "OcA"], (at) => turn(...frankfurt(at), ...occlusal(at))),
  L1_Occ: degrees(["L1", "L1a", "OcP", "OcA"], (at) => 90 + turn(...occlusal(at), ...lowerTooth(at))),
  L1_MP: degrees(["L1", "L1a", "Go", "Me"], (at) => turn(...back(jaw(at)), ...lowerTooth(at)) - 90),
  U1_APog_mm: mm(["U1", "A", "Pog"], (at) => off(at.U1, at.A, at.Pog)),

  IMPA: degrees(["L1", "L1a", "Go", "Me"], (at) => turn(...back(jaw(at)), ...lowerTooth(at))),
  FMIA: degrees(["L1", "L1a", "Po", "Or"], (at) => turn(...back(lowerTooth(at)), ...back(frankfurt(at)))),

  facialAxis: degrees(["Ba", "N", "Pt", "Gn"], (at) => turn(at.Pt, at.Gn, at.N, at.Ba)),
  convexity_mm: mm(["A", "N", "Pog"], (at) => off(at.A, at.N, at.Pog)),
  lowerFace: degrees(["ANS", "Xi", "PM"], (at) => angle3(at.ANS, at.Xi, at.PM), unsided),
  mandibularArc: degrees(["DC", "Xi", "PM"], (at) => turn(at.PM, at.Xi, at.Xi, at.DC)),
  L1_APog_mm: mm(["L1", "A", "Pog"], (at) => off(at.L1, at.A, at.Pog)),
  L1_APog: degrees(["L1", "L1a", "A", "Pog"], (at) => turn(at.Pog, at.A, ...lowerTooth(at))),
  U6_PTV_mm: mm(["U6D", "Pt", "Po", "Or"], (at) => along(at.U6D, ...frankfurt(at)) - along(at.Pt, ...frankfurt(at))),
  Li_E_mm: mm(["Li", "Prn", "PogS"], (at) => off(at.Li, at.Prn, at.PogS)),

  A_NPerp_mm: mm(["A", "N", "Po", "Or"], (at) => along(at.A, ...frankfurt(at)) - along(at.N, ...frankfurt(at)), {
    error: 1.2,
  }),
  Pog_NPerp_mm: mm(["Pog", "N", "Po", "Or"], (at) => along(at.Pog, ...frankfurt(at)) - along(at.N, ...frankfurt(at)), {
    error: 1.8,
  }),
  Co_A_mm: mm(["Co", "A"], (at) => distance(at.Co, at.A), unsided),
  Co_Gn_mm: mm(["Co", "Gn"], (at) => distance(at.Co, at.Gn), unsided),
  ANS_Me_mm: mm(["ANS", "Me"], (at) => distance(at.ANS, at.Me), unsided),

  saddle: degrees(["N", "S", "Ar"], (at) => wholeTurn(at.S, at.N, at.S, at.Ar)),
  articular: degrees(["S", "Ar", "Go"], (at) => wholeTurn(at.Ar, at.S, at.Ar, at.Go), { error: 2.5 }),
  gonial: degrees(["Ar", "Go", "Me"], (at) => wholeTurn(at.Go, at.Ar, at.Go, at.Me), { error: 1.7 }),
  bjorkSum: degrees(
    ["N", "S", "Ar", "Go", "Me"],
    (at) =>
      wholeTurn(at.S, at.N, at.S, at.Ar) + wholeTurn(at.Ar, at.S, at.Ar, at.Go) + wholeTurn(at.Go, at.Ar, at.Go, at.Me),
  ),
  jarabak: percent(["S", "Go", "N", "Me"], (at) => (100 * distance(at.S, at.Go)) / distance(at.N, at.Me), {
    error: 1.3,
    ...unsided,
  }),

  wits_mm: mm(["A", "B", "OcP", "OcA"], (at) => along(at.A, ...occlusal(at)) - along(at.B, ...occlusal(at))),

  ANB_mills: degrees(
    ["S", "N", "A", "B"],
    // Mills 1970: half a degree for each degree by which SNA is more than 81.
    (at) => angle3(at.S, at.N, at.A) - angle3(at.S, at.N, at.B) - (angle3(at.S, at.N, at.A) - 81) / 2,
    unsided,
  ),
  MMPA: degrees(["PNS", "ANS", "Go", "Me"], (at) => turn(...palate(at), ...jaw(at))),
  U1_Mx: degrees(["U1", "U1a", "PNS", "ANS"], (at) => turn(...upperTooth(at), ...back(palate(at)))),
  LAFH: percent(
    ["N", "ANS", "PNS", "Me"],
    (at) => {
      const [above, below] = [Math.abs(off(at.N, ...palate(at))), Math.abs(off(at.Me, ...palate(at)))];
      return (100 * below) / (above + below);
    },
    { error: 0.9, ...unsided },
  ),

  PP_FH: degrees(["PNS", "ANS", "Po", "Or"], (at) => turn(...frankfurt(at), ...palate(at))),
  ODI: degrees(
    ["A", "B", "Go", "Me", "PNS", "ANS", "Po", "Or"],
    (at) => turn(...back(jaw(at)), at.B, at.A) + turn(...frankfurt(at), ...palate(at)),
    { error: 2.5 },
  ),
  APDI: degrees(
    ["Po", "Or", "N", "Pog", "A", "B", "PNS", "ANS"],
    (at) =>
      turn(at.N, at.Pog, ...back(frankfurt(at))) +
      turn(at.A, at.B, at.N, at.Pog) +
      turn(...frankfurt(at), ...palate(at)),
    { error: 1.8 },
  ),

  Ls_E_mm: mm(["Ls", "Prn", "PogS"], (at) => off(at.Ls, at.Prn, at.PogS)),
  nasolabial: degrees(["Cm", "Sn", "Ls"], (at) => angle3(at.Cm, at.Sn, at.Ls), unsided),
} as const satisfies Record<string, CephMeasure>;

export type CephMeasureName = keyof typeof cephMeasures;
export const cephMeasureNames = Object.keys(cephMeasures) as CephMeasureName[];

/**
 * If the occlusal plane is not marked, it may be derived from the middles of the first molars' cusps and the incisors'
 * edges.
 */
export function withOcclusal(places: Places): Places {
  const { OcA, OcP, U6, L6, U1, L1 } = places;
  if ((OcA && OcP) || !U6 || !L6 || !U1 || !L1) return places;
  return { ...places, OcP: middle(U6, L6), OcA: middle(U1, L1) };
}
