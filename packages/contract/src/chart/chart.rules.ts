import {
  allTeeth,
  deciduousTeeth,
  isDeciduous,
  permanentTeeth,
  positionInQuadrant,
  archTeethOf,
} from "../kernel/tooth-numbers.ts";
import type { ChartContent, ChartTooth, CrownCode, Finding, FindingCode, Presence } from "./chart.schema.ts";

export const chartRules = { maxVersions: 500, maxDecisions: 200 } as const;

/** The possible crown codes of a tooth in each state: a tooth without a crown has no code. */
export const allowedCrownCodes: Record<Presence, readonly CrownCode[]> = {
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
  presences: readonly [Presence, ...Presence[]];
  /** It applies to surfaces; it has degrees. */
  surfaces?: true;
  severity?: true;
  teeth?: (tooth: number) => boolean;
}
/** Roots that part: molars, and upper first premolars. */
const hasFurcation = (tooth: number): boolean =>
  positionInQuadrant(tooth) >= (isDeciduous(tooth) ? 4 : 6) || tooth === 14 || tooth === 24;
const restoredPresences = ["present", "implant", "pontic"] as const;

export const findingRules: Record<FindingCode, FindingRule> = {
  caries: { presences: ["present", "root", "impacted"], surfaces: true, severity: true },
  periapicalRadiolucency: { presences: ["present", "root", "impacted"] },
  boneLoss: { presences: ["present", "root", "implant"], surfaces: true, severity: true },
  furcation: { presences: ["present", "root"], severity: true, teeth: hasFurcation },
  calculus: { presences: ["present", "root", "implant", "pontic"], surfaces: true },
  fracture: { presences: ["present", "root", "implant", "pontic"], surfaces: true },
  rootRemnant: { presences: ["root"] },
  resorption: { presences: ["present", "root", "impacted", "unerupted"], severity: true },
  wear: { presences: restoredPresences, surfaces: true, severity: true },
  restorationDefect: { presences: ["present", "root", "implant", "pontic"], surfaces: true },
  widenedLigament: { presences: ["present", "root"] },
  filling: { presences: ["present"], surfaces: true },
  crown: { presences: restoredPresences },
  pontic: { presences: ["pontic"] },
  abutment: { presences: ["present", "implant", "root"] },
  rootFilling: { presences: ["present", "root"] },
  post: { presences: ["present", "root"] },
  implant: { presences: ["implant"] },
  orthodonticAppliance: { presences: ["present", "implant", "pontic", "impacted", "unerupted"] },
  erupting: { presences: ["present", "unerupted"] },
  unerupted: { presences: ["unerupted", "impacted"] },
  impacted: { presences: ["impacted"] },
  supernumerary: { presences: ["present", "missing", "unerupted", "impacted", "implant", "pontic", "root"] },
  exfoliating: { presences: ["present", "root"], teeth: isDeciduous },
  crowded: { presences: ["present"] },
};

export const canFindingApply = (code: FindingCode, tooth: Pick<ChartTooth, "fdi" | "presence">): boolean =>
  findingRules[code].presences.includes(tooth.presence) && (findingRules[code].teeth?.(tooth.fdi) ?? true);

export const isConfirmedFinding = ({ status }: Pick<Finding, "status">): boolean =>
  status === "accepted" || status === "added";

/** The presences that agree with a tooth that an engine found, or found missing. A root and an impacted tooth are teeth. */
const agreeingPresences: Readonly<Record<string, readonly Presence[]>> = {
  TOOTH_BOX: ["present", "root", "impacted", "unerupted"],
  TOOTH_MISSING: ["missing"],
};

/** Returns true if the chart already says something else of this tooth: a person changes the chart first. */
export function contradictsChart(content: ChartContent, code: string, fdi: number): boolean {
  const { presence } = findTooth(content, fdi);
  return presence !== "unknown" && agreeingPresences[code]?.includes(presence) === false;
}

/**
 * Returns the crown code after a finding: a filling, caries, a crown or an abutment changes it as well. Initial caries
 * leaves a crown sound, as WHO counts.
 */
export function crownAfterFinding(
  { presence, crown }: Pick<ChartTooth, "presence" | "crown">,
  { code, severity }: Pick<Finding, "code" | "severity">,
): CrownCode | null {
  const isDecayed = code === "caries" && severity !== "initial";
  const nextCrown =
    code === "filling" ? afterFilling(crown) : isDecayed ? afterCaries(crown) : isCrownFinding(code) ? 7 : crown;
  return nextCrown !== null && allowedCrownCodes[presence].includes(nextCrown) ? nextCrown : crown;
}
const isSound = (crown: CrownCode | null): boolean => crown === null || crown === 0 || crown === 6;
const afterCaries = (crown: CrownCode | null) => (isSound(crown) ? 1 : crown === 3 ? 2 : crown);
const afterFilling = (crown: CrownCode | null) => (isSound(crown) ? 3 : crown === 1 ? 2 : crown);
const isCrownFinding = (code: FindingCode): boolean => code === "crown" || code === "abutment";

/** The permanent tooth that follows a milk tooth, and the milk tooth before a permanent one; null: none. */
export const successorOf = (deciduousTooth: number): number | null =>
  isDeciduous(deciduousTooth) ? deciduousTooth - 40 : null;
export const predecessorOf = (tooth: number): number | null =>
  !isDeciduous(tooth) && positionInQuadrant(tooth) <= 5 ? tooth + 40 : null;

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
export function findChartProblems({ teeth }: ChartContent): ChartProblem[] {
  const teethByFdi = new Map(teeth.map((tooth) => [tooth.fdi, tooth]));
  return teeth.flatMap((tooth) => [...findToothProblems(tooth), ...findNeighbourProblems(tooth, teethByFdi)]);
}

type ChartProblemName = ChartProblem["problem"];
function findToothProblems(tooth: ChartTooth): ChartProblem[] {
  const { fdi, presence, crown } = tooth;
  const findingProblems = tooth.findings.filter(isConfirmedFinding).flatMap((finding): ChartProblem[] => {
    const problem = findFindingProblem(tooth, finding);
    return problem ? [{ fdi, problem, code: finding.code }] : [];
  });
  const isCrownUnfit = crown !== null && !allowedCrownCodes[presence].includes(crown);
  return isCrownUnfit ? [{ fdi, problem: "crownUnfit", code: null }, ...findingProblems] : findingProblems;
}

function findFindingProblem(tooth: ChartTooth, finding: Finding): ChartProblemName | null {
  const rule = findingRules[finding.code];
  if (!rule.presences.includes(tooth.presence)) return "findingUnfit";
  if (rule.teeth && !rule.teeth(tooth.fdi)) return "findingTooth";
  if (finding.surfaces.length > 0 && !rule.surfaces) return "surfaceUnfit";
  if (finding.severity !== null && !rule.severity) return "severityUnfit";
  if (tooth.crown !== null && crownAfterFinding(tooth, finding) !== tooth.crown) return "crownDisagrees";
  return null;
}

const replacementPresences: readonly Presence[] = ["implant", "pontic"];
function findNeighbourProblems(
  { fdi, presence }: ChartTooth,
  teethByFdi: ReadonlyMap<number, ChartTooth>,
): ChartProblem[] {
  const problem = (name: ChartProblemName): ChartProblem[] => [{ fdi, problem: name, code: null }];
  if (presence === "implant" && isDeciduous(fdi)) return problem("milkImplant");
  const deciduousTooth = predecessorOf(fdi);
  if (
    replacementPresences.includes(presence) &&
    deciduousTooth !== null &&
    teethByFdi.get(deciduousTooth)?.presence === "present"
  )
    return problem("milkInPlace");
  if (presence === "pontic" && ![-1, 1].some((side) => canSupportBridge(fdi, side, teethByFdi)))
    return problem("ponticAlone");
  return [];
}

/** Returns true if a bridge may rest on the next tooth on this side; an unassessed tooth may hold it. */
function canSupportBridge(fdi: number, side: number, teethByFdi: ReadonlyMap<number, ChartTooth>): boolean {
  const archTeeth = archTeethOf(fdi);
  const next = archTeeth[archTeeth.indexOf(fdi) + side];
  if (next === undefined) return false;
  const presence = teethByFdi.get(next)?.presence ?? "unknown";
  if (presence === "pontic") return canSupportBridge(next, side, teethByFdi);
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
const blankTeeth = new Map(allTeeth.map((fdi) => [fdi, blankTooth(fdi)]));
export const findTooth = ({ teeth }: ChartContent, fdi: number): ChartTooth =>
  teeth.find((tooth) => tooth.fdi === fdi) ?? blankTeeth.get(fdi) ?? blankTooth(fdi);

/** Returns true if the state of a tooth is known: a present tooth counts as assessed once its crown is. */
export const isAssessed = ({ presence, crown }: Pick<ChartTooth, "presence" | "crown">): boolean =>
  presence !== "unknown" && (presence !== "present" || crown !== null);

/**
 * Returns the unassessed positions of a mouth, by FDI number. The tooth at a position counts for it: if a milk tooth is
 * present, its successor need not be assessed.
 */
export function findUnassessedTeeth(content: ChartContent, toothSet: "permanent" | "deciduous" | "mixed"): number[] {
  const teethByFdi = new Map(content.teeth.map((tooth) => [tooth.fdi, tooth]));
  const isUnassessed = (fdi: number) => !isAssessed(teethByFdi.get(fdi) ?? blankTooth(fdi));
  if (toothSet === "deciduous") return deciduousTeeth.filter(isUnassessed);
  return permanentTeeth.filter((fdi) => {
    const deciduousTooth = predecessorOf(fdi);
    const isCoveredByDeciduous =
      deciduousTooth !== null &&
      teethByFdi.get(deciduousTooth)?.presence === "present" &&
      !isUnassessed(deciduousTooth);
    return isUnassessed(fdi) && !isCoveredByDeciduous;
  });
}
