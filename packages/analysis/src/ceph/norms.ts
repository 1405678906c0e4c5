import type { CephPopulation } from "@arcada/contract/ceph/ceph.schema";
import type { CephAnalysis } from "./analyses.ts";
import type { CephMeasureName } from "./measures.ts";

export type NormSex = "male" | "female";

/** The usual value in one population; SD is null if only means were published. */
export interface CephNorm {
  mean: number;
  sd: number | null;
  /** Set if a range was published and no mean: `mean` is its middle. */
  range?: readonly [from: number, to: number];
  sex?: NormSex;
  /** Years for which it was found; children grow. */
  from: number;
  to: number;
  /** The change of `mean` with each year after `from`, until growth ends. */
  perYear?: number;
  source: CephSource;
}

/**
 * The publications of the figures. Western norms of the usual analyses are taken from lists that agree with each other.
 */
export const cephSources = {
  steiner: "Steiner 1953",
  downs: "Downs 1948",
  tweed: "Tweed 1954",
  ricketts: "Ricketts 1981",
  mcnamara: "McNamara 1984",
  jarabak: "Björk 1947, Jarabak 1972",
  jacobson: "Jacobson 1975",
  eastman: "Mills 1970 (Eastman)",
  kim: "Kim 1974, 1978",
  soft: "Ricketts 1968; AudaxCeph",
  sichuan: "Sichuan, n = 120, > 18",
  peking: "Fu (PKU)",
} as const;
export type CephSource = keyof typeof cephSources;

type NormTuple = readonly [CephMeasureName, mean: number, sd: number | null, more?: Partial<CephNorm>];
const adultAges = { from: 18, to: 130 } as const;
const createNorms = (
  source: CephSource,
  rows: readonly NormTuple[],
  ages: { from: number; to: number } = adultAges,
): NormRow[] =>
  rows.map(([measure, mean, sd, overrides]) => ({ measure, norm: { mean, sd, source, ...ages, ...overrides } }));
interface NormRow {
  measure: CephMeasureName;
  norm: CephNorm;
}
const valueRange = (from: number, to: number): readonly [number, number] => [from, to];

const childAndAdultAges = { from: 9, to: 130 };

/** Norms of white people; each analysis has its own figures. */
const whiteNorms: Readonly<Partial<Record<CephAnalysis, readonly NormRow[]>>> = {
  steiner: createNorms("steiner", [
    ["SNA", 82, 2],
    ["SNB", 80, 2],
    ["ANB", 2, 2],
    ["SND", 76, null],
    // Lists state 4 or 5; the wider one calls nobody unusual whom the other does not.
    ["SN_GoGn", 32, 5],
    ["SN_Occ", 14, null],
    ["U1_NA", 22, 4],
    ["U1_NA_mm", 4, 2],
    ["L1_NB", 25, 4],
    ["L1_NB_mm", 4, 2],
    ["U1_L1", 131, null],
    ["Pog_NB_mm", 4, null],
  ]),
  downs: createNorms("downs", [
    ["facialAngle", 87.8, 3.6],
    ["convexity", 0, 5.1],
    ["AB_NPog", -4.6, 3.7],
    ["FMA", 21.9, 3.2],
    ["yAxis", 59.4, 3.8],
    ["Occ_FH", 9.3, 3.8],
    ["U1_L1", 135.4, 5.8],
    ["L1_Occ", 14.5, 3.5],
    ["L1_MP", 1.4, 3.8],
    ["U1_APog_mm", 2.7, 1.8],
  ]),
  tweed: createNorms("tweed", [
    ["FMA", 25, 5],
    ["IMPA", 90, 5],
    ["FMIA", 65, 5],
  ]),
  ricketts: createNorms(
    "ricketts",
    [
      ["facialAxis", 90, 3],
      ["facialAngle", 87, 3, { perYear: 0.33 }],
      ["FMA", 26, 4.5, { perYear: -0.3 }],
      ["convexity_mm", 2, 2, { perYear: -0.2 }],
      ["lowerFace", 47, 4],
      ["mandibularArc", 26, 4, { perYear: 0.5 }],
      ["L1_APog_mm", 1, 2.3],
      ["L1_APog", 22, 4],
      ["U6_PTV_mm", 12, 3, { perYear: 1 }],
      ["Li_E_mm", -2, 2, { perYear: -0.2 }],
    ],
    childAndAdultAges,
  ),
  mcnamara: createNorms("mcnamara", [
    ["A_NPerp_mm", 0.5, null, { range: valueRange(0, 1) }],
    ["Pog_NPerp_mm", -2, null, { sex: "female", range: valueRange(-4, 0) }],
    ["Pog_NPerp_mm", 0, null, { sex: "male", range: valueRange(-2, 2) }],
    ["Co_A_mm", 91, 4.3, { sex: "female" }],
    ["Co_A_mm", 99.8, 6, { sex: "male" }],
    ["Co_Gn_mm", 120.2, 5.3, { sex: "female" }],
    ["Co_Gn_mm", 134.3, 6.8, { sex: "male" }],
    ["ANS_Me_mm", 66.7, 4.1, { sex: "female" }],
    ["ANS_Me_mm", 74.6, 5, { sex: "male" }],
  ]),
  jarabak: createNorms("jarabak", [
    ["saddle", 123, 5],
    ["articular", 143, 6],
    ["gonial", 130, 7],
    ["bjorkSum", 396, 6],
    ["jarabak", 63.5, null, { range: valueRange(62, 65) }],
  ]),
  wits: createNorms("jacobson", [
    ["wits_mm", -1, 1.9, { sex: "male" }],
    ["wits_mm", 0, 1.8, { sex: "female" }],
  ]),
  eastman: createNorms("eastman", [
    ["SNA", 81, 3],
    ["SNB", 78, 3],
    ["ANB", 3, 2],
    ["ANB_mills", 3, 2],
    ["MMPA", 27, 5],
    ["U1_Mx", 109, 6],
    ["IMPA", 93, 6],
    ["LAFH", 55, 2],
  ]),
  kim: createNorms("kim", [
    ["ODI", 74.5, 6.1],
    ["APDI", 81.4, 3.8],
  ]),
  softTissue: createNorms("soft", [
    ["Ls_E_mm", -4, 2],
    ["Li_E_mm", -2, 2],
    ["nasolabial", 102, 8],
  ]),
};

const sichuanNorms = (
  [
    ["SNA", 84.87, 82.98],
    ["SNB", 81.42, 80.84],
    ["ANB", 3.48, 2.21],
    ["SND", 73.48, 73.52],
    ["U1_NA", 23.08, 22.89],
    ["L1_NB", 29.86, 29.14],
    ["U1_L1", 124.75, 123.96],
    ["SN_Occ", 22.13, 22.29],
    ["Occ_FH", 14.19, 14.45],
    ["SN_MP", 38.12, 38.22],
    ["FMA", 30.68, 30.31],
    ["IMPA", 95.07, 94.88],
    ["FMIA", 54.24, 54.76],
    ["facialAngle", 82.67, 82.35],
    ["convexity", 14.72, 13.23],
    ["yAxis", 65.58, 66.12],
    ["AB_NPog", -6.96, -6.13],
  ] as const
).flatMap(([measure, male, female]) =>
  createNorms("sichuan", [
    [measure, male, null, { sex: "male" }],
    [measure, female, null, { sex: "female" }],
  ]),
);

const pekingNorms = createNorms("peking", [
  ["SNA", 82.8, 4],
  ["SNB", 80.1, 3.9],
  ["ANB", 2.7, 2],
  ["FMA", 31.1, 5.6],
  ["U1_NA", 22.8, 5.7],
  ["L1_NB", 30.5, 5.8],
  ["U1_L1", 125.4, 7.9],
  ["facialAngle", 85.4, 3.7],
]);

/** The figures of one population for one analysis; never those of another where it has none. */
export const normsOf = (population: CephPopulation, analysis: CephAnalysis): readonly NormRow[] =>
  population === "white" ? (whiteNorms[analysis] ?? []) : population === "sichuan" ? sichuanNorms : pekingNorms;

/**
 * The norms that a clinic's new tracings begin with, by the country of the clinic (ISO 3166), if a set of norms was
 * measured in the people who are most of its population. It is a default and implies nothing about a patient's descent:
 * the dentist can change it, and the chosen set is named next to every value. Of the two Chinese sets, Fu's is used,
 * because the other gives no standard deviations, so that no value could be placed within or outside it. There is no
 * set for Japanese, Koreans, Africans, Arabs or Indians: their clinics begin with the analyses' own values, which are
 * of white people and are labelled so.
 */
const populationByCountry: Readonly<Record<string, CephPopulation>> = {
  CN: "peking",
  HK: "peking",
  MO: "peking",
  TW: "peking",
  SG: "peking",
};

export const defaultPopulation = (country: string | null): CephPopulation =>
  country !== null && Object.hasOwn(populationByCountry, country) ? populationByCountry[country]! : "white";
