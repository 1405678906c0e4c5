import type { CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import type { CephMeasureName } from "./measures.ts";

export interface CephAnalysisDefinition {
  measures: readonly CephMeasureName[];
  /** Only along the functional occlusal plane; others take the middles of molars and incisors where that is not marked. */
  isFunctional?: true;
  /** A landmark that no measure takes: without it the others do not tell to which side the face looks. */
  sideLandmark?: CephLandmark;
}

/** The measures of each analysis, in reading order. */
export const cephAnalyses = {
  steiner: {
    measures: [
      "SNA",
      "SNB",
      "ANB",
      "SND",
      "SN_GoGn",
      "SN_Occ",
      "U1_NA",
      "U1_NA_mm",
      "L1_NB",
      "L1_NB_mm",
      "U1_L1",
      "Pog_NB_mm",
    ],
  },
  downs: {
    measures: [
      "facialAngle",
      "convexity",
      "AB_NPog",
      "FMA",
      "yAxis",
      "Occ_FH",
      "U1_L1",
      "L1_Occ",
      "L1_MP",
      "U1_APog_mm",
    ],
  },
  tweed: { measures: ["FMA", "IMPA", "FMIA"] },
  ricketts: {
    measures: [
      "facialAxis",
      "facialAngle",
      "FMA",
      "convexity_mm",
      "lowerFace",
      "mandibularArc",
      "L1_APog_mm",
      "L1_APog",
      "U6_PTV_mm",
      "Li_E_mm",
    ],
  },
  mcnamara: { measures: ["A_NPerp_mm", "Pog_NPerp_mm", "Co_A_mm", "Co_Gn_mm", "ANS_Me_mm"] },
  jarabak: { measures: ["saddle", "articular", "gonial", "bjorkSum", "SN_MP", "jarabak"] },
  wits: { measures: ["wits_mm"], isFunctional: true },
  eastman: { measures: ["SNA", "SNB", "ANB", "ANB_mills", "MMPA", "U1_Mx", "IMPA", "LAFH"] },
  kim: { measures: ["ODI", "APDI", "PP_FH"] },
  softTissue: { measures: ["Ls_E_mm", "Li_E_mm", "nasolabial"], sideLandmark: "S" },
  chinese: {
    measures: [
      "SNA",
      "SNB",
      "ANB",
      "SND",
      "SN_MP",
      "FMA",
      "FMIA",
      "IMPA",
      "U1_NA",
      "L1_NB",
      "U1_L1",
      "SN_Occ",
      "Occ_FH",
      "facialAngle",
      "convexity",
      "yAxis",
      "AB_NPog",
    ],
  },
} as const satisfies Record<string, CephAnalysisDefinition>;

export type CephAnalysis = keyof typeof cephAnalyses;
export const cephAnalysisNames = Object.keys(cephAnalyses) as CephAnalysis[];
