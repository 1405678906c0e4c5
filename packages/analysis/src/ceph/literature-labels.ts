import type { CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import type { CephAnalysis } from "./analyses.ts";
import type { CephMeasureName } from "./measures.ts";

/** Landmarks as the literature writes them: those of the skin with a stroke. */
export const landmarkLabel = (id: CephLandmark): string => softTissueLabels[id] ?? id;
const softTissueLabels: Partial<Record<CephLandmark, string>> = {
  GS: "G′",
  NS: "N′",
  PogS: "Pog′",
  GnS: "Gn′",
  MeS: "Me′",
};

/** Analyses named after a person; the others have translated names. */
export const analysisLabels = {
  steiner: "Steiner",
  downs: "Downs",
  tweed: "Tweed",
  ricketts: "Ricketts",
  mcnamara: "McNamara",
  jarabak: "Jarabak",
  wits: "Wits",
  eastman: "Eastman",
  kim: "Kim",
} as const satisfies Partial<Record<CephAnalysis, string>>;
type LabelledAnalysis = keyof typeof analysisLabels;
export const nameAnalysis = (
  name: CephAnalysis,
  translate: (name: Exclude<CephAnalysis, LabelledAnalysis>) => string,
): string => (isLabelledAnalysis(name) ? analysisLabels[name] : translate(name));
const isLabelledAnalysis = (name: CephAnalysis): name is LabelledAnalysis => name in analysisLabels;

/** Measures named after their landmarks, alike in every language; the others have translated names. */
export const measureLabels = {
  SNA: "SNA",
  SNB: "SNB",
  ANB: "ANB",
  SND: "SND",
  SN_GoGn: "SN–GoGn",
  SN_MP: "SN–MP",
  SN_PP: "SN–PP",
  SN_Occ: "SN–Occ",
  U1_NA: "U1–NA",
  U1_NA_mm: "U1–NA (mm)",
  L1_NB: "L1–NB",
  L1_NB_mm: "L1–NB (mm)",
  U1_L1: "U1–L1",
  Pog_NB_mm: "Pog–NB",
  AB_NPog: "AB–NPog",
  FMA: "FMA (FH–MP)",
  Occ_FH: "Occ–FH",
  L1_Occ: "L1–Occ",
  L1_MP: "L1–MP (− 90°)",
  U1_APog_mm: "U1–APog",
  IMPA: "IMPA (L1–MP)",
  FMIA: "FMIA (L1–FH)",
  L1_APog_mm: "L1–APog (mm)",
  L1_APog: "L1–APog",
  U6_PTV_mm: "U6–PTV",
  Li_E_mm: "Li–E",
  Ls_E_mm: "Ls–E",
  A_NPerp_mm: "A–N⊥",
  Pog_NPerp_mm: "Pog–N⊥",
  Co_A_mm: "Co–A",
  Co_Gn_mm: "Co–Gn",
  ANS_Me_mm: "ANS–Me",
  MMPA: "MMPA (PP–MP)",
  U1_Mx: "U1–PP",
  PP_FH: "PP–FH",
  ODI: "ODI",
  APDI: "APDI",
} as const satisfies Partial<Record<CephMeasureName, string>>;
type LabelledMeasure = keyof typeof measureLabels;
export const nameMeasure = (
  name: CephMeasureName,
  translate: (name: Exclude<CephMeasureName, LabelledMeasure>) => string,
): string => (isLabelledMeasure(name) ? measureLabels[name] : translate(name));
const isLabelledMeasure = (name: CephMeasureName): name is LabelledMeasure => name in measureLabels;
