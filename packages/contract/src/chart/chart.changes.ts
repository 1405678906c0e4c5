import { allTeeth } from "../kernel/tooth-numbers.ts";
import { blankTooth, findTooth } from "./chart.rules.ts";
import { surfaces } from "./chart.schema.ts";
import type { ChartContent, ChartTooth, Finding } from "./chart.schema.ts";

/** FDI numbers of the teeth that are not the same in both, in the chart's order. */
export const findChangedTeeth = (before: ChartContent, after: ChartContent): number[] =>
  allTeeth.filter((fdi) => !isSameTooth(findTooth(before, fdi), findTooth(after, fdi)));

export const isSameTooth = (one: ChartTooth, other: ChartTooth): boolean =>
  isSameState(one, other) && one.confirmedBy === other.confirmedBy && one.confirmedAt === other.confirmedAt;

/** Returns true if the tooth itself does not differ, regardless of the person who confirmed it. */
export const isSameState = (one: ChartTooth, other: ChartTooth): boolean =>
  one.presence === other.presence &&
  one.crown === other.crown &&
  one.findings.length === other.findings.length &&
  one.findings.every((finding, at) => isSameFinding(finding, other.findings[at]!));

type ComparedFinding = Pick<Finding, "id" | "code" | "surfaces" | "severity" | "remark" | "status" | "reason">;
export const isSameFinding = (one: ComparedFinding, other: ComparedFinding): boolean =>
  one.id === other.id &&
  one.code === other.code &&
  one.severity === other.severity &&
  one.remark === other.remark &&
  one.status === other.status &&
  one.reason === other.reason &&
  surfaces.every((surface) => one.surfaces.includes(surface) === other.surfaces.includes(surface));

/** Returns the chart with these teeth replacing its own; a chart contains no tooth without any statement. */
export function replaceTeeth(content: ChartContent, teeth: readonly ChartTooth[]): ChartContent {
  const replacements = new Map(teeth.map((tooth) => [tooth.fdi, tooth]));
  return {
    teeth: allTeeth
      .map((fdi) => replacements.get(fdi) ?? findTooth(content, fdi))
      .filter((tooth) => !isSameTooth(tooth, blankTooth(tooth.fdi))),
  };
}

export interface ChartMerge {
  /** Teeth that only one of the two has changed: both are kept. */
  mine: number[];
  theirs: number[];
  /** Teeth that both have changed in different ways: a person chooses. */
  both: number[];
}

/** Compares two people's changes to the same chart. */
export function compareChanges(base: ChartContent, mine: ChartContent, theirs: ChartContent): ChartMerge {
  const myTeeth = findChangedTeeth(base, mine);
  const theirTeeth = findChangedTeeth(base, theirs);
  const differs = (fdi: number) => !isSameTooth(findTooth(mine, fdi), findTooth(theirs, fdi));
  return {
    mine: myTeeth.filter((fdi) => !theirTeeth.includes(fdi)),
    theirs: theirTeeth.filter((fdi) => !myTeeth.includes(fdi)),
    both: myTeeth.filter((fdi) => theirTeeth.includes(fdi) && differs(fdi)),
  };
}

/** Their chart with my changes in it; of the teeth that both have changed, mine where `keepMine` names them. */
export function mergeCharts(
  base: ChartContent,
  mine: ChartContent,
  theirs: ChartContent,
  keepMine: readonly number[],
): ChartContent {
  const { mine: onlyMine, both } = compareChanges(base, mine, theirs);
  const adoptedTeeth = [...onlyMine, ...both.filter((fdi) => keepMine.includes(fdi))];
  return replaceTeeth(
    theirs,
    adoptedTeeth.map((fdi) => findTooth(mine, fdi)),
  );
}
