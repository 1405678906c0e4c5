import type { PlannedImplantReport, PlanReportContent } from "@arcada/contract/implant/plan-report.schema";
import type { SystemChoice } from "@arcada/contract/implant/implant-library.schema";
import type { Arch } from "../../use-arch.ts";
import { findSystem } from "../attachments/generic-parts.ts";
import { measureCrownAngles } from "../attachments/implant-attachments.ts";
import { listImplantPairs } from "../implant-pairs.ts";
import { isUpper, type Implant } from "../implant-plan.ts";
import { classifyBone, leavesSuggestedJaw, listDistances, listUncheckedParts } from "../plan-warnings.ts";

interface ReportSources {
  arch: Arch;
  systems: readonly SystemChoice[];
  /** The size of a voxel, mm. */
  voxel: readonly number[];
  scan: PlanReportContent["scan"];
}

/** Collects everything that the report of a plan states. */
export const collectPlanReport = ({ arch, systems, voxel, scan }: ReportSources): PlanReportContent => ({
  implants: arch.implants.map((implant, at) => describeImplant(arch, systems, implant, at + 1)),
  pairs: listImplantPairs(arch.implants),
  parallelLimit: arch.safetyDistances.parallel,
  unchecked: listUncheckedParts(arch, arch.up),
  voxel: [...voxel],
  scan,
});

function describeImplant(
  arch: Arch,
  systems: readonly SystemChoice[],
  implant: Implant,
  number: number,
): PlannedImplantReport {
  const { body, length, tooth, system, attachments } = implant;
  const angles = measureCrownAngles(body, attachments);
  return {
    number,
    tooth,
    system,
    library: findSystem(systems, system)?.library ?? null,
    diameter: body.shoulder * 2,
    tip: body.tip * 2,
    length,
    head: [...body.head],
    apex: [...body.apex],
    distances: listDistances(implant, arch.safetyDistances).map(({ kind, mm, isSuggested }) => ({
      to: kind,
      mm: Math.min(200, Math.max(-200, mm)),
      limit: arch.safetyDistances[kind],
      tooth: kind === "root" && !isSuggested ? (implant.toRoot?.tooth ?? null) : null,
      isSuggested,
    })),
    bone: classifyBone(arch.checkBone(implant), isUpper(implant, arch.up)),
    leavesSuggestedJaw: leavesSuggestedJaw(implant),
    abutment: attachments.abutment,
    sleeve: attachments.sleeve,
    crown: angles && attachments.crown && { from: attachments.crown.from, ...angles },
  };
}
