import { allTeeth, deciduousTeeth, isDeciduous, permanentTeeth, placeOf, rowOf } from "../kernel/tooth.ts";
import type { ChartContent, ChartTooth, CrownCode, Finding, FindingCode, Presence } from "./chart.shape.ts";

export const chartRules = { versionsMost: 500, decisionsMost: 200 } as const;

/** The possible crown codes of a tooth in each state: a tooth without a crown has no code. */
export const crownsOf: Record<Presence, readonly CrownCode[]> = {
  unknown: [],
  present: [0, 1, 2, 3, 6, 7],
  missing: [],
  unerupted: [],
  impacted: [],
  implant: [7],
  pontic: [7],
  root: [1, 2],
};

interface FindingRule {
  /** States of a tooth at which it can be found. The first is the state that it implies for an unassessed tooth. */
  on: readonly [Presence, ...Presence[]];
  /** It applies to surfaces; it has degrees. */
  surfaces?: true;
  severity?: true;
  teeth?: (tooth: number) => boolean;
}
/** Roots that part: molars, and upper first premolars. */
const hasFurcation = (tooth: number): boolean =>
  placeOf(tooth) >= (isDeciduous(tooth) ? 4 : 6) || tooth === 14 || tooth === 24;
const restored = ["present", "implant", "pontic"] as const;

export const findingRules: Record<FindingCode, FindingRule> = {
  caries: { on: ["present", "root", "impacted"], surfaces: true, severity: true },
  periapicalRadiolucency: { on: ["present", "root", "impacted"] },
  boneLoss: { on: ["present", "root", "implant"], surfaces: true, severity: true },
  furcation: { on: ["present", "root"], severity: true, teeth: hasFurcation },
  calculus: { on: ["present", "root", "implant", "pontic"], surfaces: true },
  fracture: { on: ["present", "root", "implant", "pontic"], surfaces: true },
  rootRemnant: { on: ["root"] },
  resorption: { on: ["present", "root", "impacted", "unerupted"], severity: true },
  wear: { on: restored, surfaces: true, severity: true },
  restorationDefect: { on: ["present", "root", "implant", "pontic"], surfaces: true },
  widenedLigament: { on: ["present", "root"] },
  filling: { on: ["present"], surfaces: true },
  crown: { on: restored },
  pontic: { on: ["pontic"] },
  abutment: { on: ["present", "implant", "root"] },
  rootFilling: { on: ["present", "root"] },
  post: { on: ["present", "root"] },
  implant: { on: ["implant"] },
  orthodonticAppliance: { on: ["present", "implant", "pontic", "impacted", "unerupted"] },
  erupting: { on: ["present", "unerupted"] },
  unerupted: { on: ["unerupted", "impacted"] },
  impacted: { on: ["impacted"] },
  supernumerary: { on: ["present", "missing", "unerupted", "impacted", "implant", "pontic", "root"] },
  exfoliating: { on: ["present", "root"], teeth: isDeciduous },
  crowded: { on: ["present"] },
};

export const mayStandAt = (code: FindingCode, tooth: Pick<ChartTooth, "fdi" | "presence">): boolean =>
  findingRules[code].on.includes(tooth.presence) && (findingRules[code].teeth?.(tooth.fdi) ?? true);

export const isOpen = ({ status }: Pick<Finding, "status">): boolean => status === "accepted" || status === "added";

/**
 * Returns the crown code after a finding: a filling, caries, a crown or an abutment changes it as well. Initial caries
 * leaves a crown sound, as WHO counts.
 */
export function crownWith(
  { presence, crown }: Pick<ChartTooth, "presence" | "crown">,
  { code, severity }: Pick<Finding, "code" | "severity">,
): CrownCode | null {
  const decayed = code === "caries" && severity !== "initial";
  const next = code === "filling" ? afterFilling(crown) : decayed ? afterCaries(crown) : isCrowning(code) ? 7 : crown;
  return next !== null && crownsOf[presence].includes(next) ? next : crown;
}
const isSound = (crown: CrownCode | null): boolean => crown === null || crown === 0 || crown === 6;
const afterCaries = (crown: CrownCode | null) => (isSound(crown) ? 1 : crown === 3 ? 2 : crown);
const afterFilling = (crown: CrownCode | null) => (isSound(crown) ? 3 : crown === 1 ? 2 : crown);
const isCrowning = (code: FindingCode): boolean => code === "crown" || code === "abutment";

/** The permanent tooth that follows a milk tooth, and the milk tooth before a permanent one; null: none. */
export const successorOf = (milk: number): number | null => (isDeciduous(milk) ? milk - 40 : null);
export const predecessorOf = (tooth: number): number | null =>
  !isDeciduous(tooth) && placeOf(tooth) <= 5 ? tooth + 40 : null;

export const chartProblems = [
  "crownUnfit",
  "findingUnfit",
  "findingTooth",
  "surfaceUnfit",
  "severityUnfit",
  "crownDisagrees",
  "milkImplant",
  "milkInPlace",
  "ponticAlone",
] as const;
export interface ChartProblem {
  fdi: number;
  problem: (typeof chartProblems)[number];
  /** The finding that it is about. */
  code: FindingCode | null;
}

/** Returns the contradictions in a chart; empty for a chart that may be saved. */
export function problemsOf({ teeth }: ChartContent): ChartProblem[] {
  const known = new Map(teeth.map((tooth) => [tooth.fdi, tooth]));
  return teeth.flatMap((tooth) => [...problemsAt(tooth), ...problemsAround(tooth, known)]);
}

type Named = ChartProblem["problem"];
function problemsAt(tooth: ChartTooth): ChartProblem[] {
  const { fdi, presence, crown } = tooth;
  const found = tooth.findings.filter(isOpen).flatMap((finding): ChartProblem[] => {
    const problem = problemOf(tooth, finding);
    return problem ? [{ fdi, problem, code: finding.code }] : [];
  });
  const unfit = crown !== null && !crownsOf[presence].includes(crown);
  return unfit ? [{ fdi, problem: "crownUnfit", code: null }, ...found] : found;
}

function problemOf(tooth: ChartTooth, finding: Finding): Named | null {
  const rule = findingRules[finding.code];
  if (!rule.on.includes(tooth.presence)) return "findingUnfit";
  if (rule.teeth && !rule.teeth(tooth.fdi)) return "findingTooth";
  if (finding.surfaces.length > 0 && !rule.surfaces) return "surfaceUnfit";
  if (finding.severity !== null && !rule.severity) return "severityUnfit";
  if (tooth.crown !== null && crownWith(tooth, finding) !== tooth.crown) return "crownDisagrees";
  return null;
}

const replaced: readonly Presence[] = ["implant", "pontic"];
function problemsAround({ fdi, presence }: ChartTooth, known: ReadonlyMap<number, ChartTooth>): ChartProblem[] {
  const problem = (name: Named): ChartProblem[] => [{ fdi, problem: name, code: null }];
  if (presence === "implant" && isDeciduous(fdi)) return problem("milkImplant");
  const milk = predecessorOf(fdi);
  if (replaced.includes(presence) && milk !== null && known.get(milk)?.presence === "present")
    return problem("milkInPlace");
  if (presence === "pontic" && ![-1, 1].some((side) => mayHold(fdi, side, known))) return problem("ponticAlone");
  return [];
}

/** Returns true if a bridge may rest on the next tooth on this side; an unassessed tooth may hold it. */
function mayHold(fdi: number, side: number, known: ReadonlyMap<number, ChartTooth>): boolean {
  const row = rowOf(fdi);
  const next = row[row.indexOf(fdi) + side];
  if (next === undefined) return false;
  const presence = known.get(next)?.presence ?? "unknown";
  if (presence === "pontic") return mayHold(next, side, known);
  return ["unknown", "present", "implant", "root"].includes(presence);
}

/** An unassessed tooth without findings. */
export const blankTooth = (fdi: number): ChartTooth => ({
  fdi,
  presence: "unknown",
  crown: null,
  findings: [],
  confirmedBy: null,
  confirmedAt: null,
});
// Always the same, so that a page sees that nothing has changed.
const blanks = new Map(allTeeth.map((fdi) => [fdi, blankTooth(fdi)]));
export const toothIn = ({ teeth }: ChartContent, fdi: number): ChartTooth =>
  teeth.find((tooth) => tooth.fdi === fdi) ?? blanks.get(fdi) ?? blankTooth(fdi);

/** Returns true if the state of a tooth is known: a present tooth counts as assessed once its crown is. */
export const isAssessed = ({ presence, crown }: Pick<ChartTooth, "presence" | "crown">): boolean =>
  presence !== "unknown" && (presence !== "present" || crown !== null);

/**
 * Returns the unassessed positions of a mouth, by FDI number. The tooth at a position counts for it: if a milk tooth is
 * present, its successor need not be assessed.
 */
export function notAssessed(content: ChartContent, set: "permanent" | "deciduous" | "mixed"): number[] {
  const known = new Map(content.teeth.map((tooth) => [tooth.fdi, tooth]));
  const lacks = (fdi: number) => !isAssessed(known.get(fdi) ?? blankTooth(fdi));
  if (set === "deciduous") return deciduousTeeth.filter(lacks);
  return permanentTeeth.filter((fdi) => {
    const milk = predecessorOf(fdi);
    const held = milk !== null && known.get(milk)?.presence === "present" && !lacks(milk);
    return lacks(fdi) && !held;
  });
}
