import { predecessorOf } from "@arcada/contract/chart/chart.rules";
import { allTeeth, isDeciduous, permanentTeeth } from "@arcada/contract/kernel/tooth-numbers";
import type { ToothLists } from "@arcada/contract/report/report.schema";
import { hasOpenProposal, hasProblem, toothStateOf } from "./tooth-state.ts";
import type { ExaminedTooth } from "./tooth-state.ts";

/**
 * A chart's teeth as a report lists them, each list in the chart's order. A tooth that no dentist confirmed is in
 * `notAssessed` and nowhere else: silence is never health. Milk teeth that the chart does not name are in no list.
 */
export function createToothLists(teeth: readonly ExaminedTooth[]): ToothLists {
  const byFdi = new Map(teeth.map((tooth) => [tooth.fdi, tooth]));
  const known = allTeeth.flatMap((fdi) => {
    const tooth = byFdi.get(fdi);
    return tooth && isConfirmed(tooth) ? [tooth] : [];
  });
  const numbersWhere = (test: (tooth: ExaminedTooth) => boolean) => known.filter(test).map(({ fdi }) => fdi);
  const isPresent = ({ presence }: ExaminedTooth) => presence === "present" || presence === "root";
  const isAssessed = (tooth: ExaminedTooth | undefined) =>
    tooth !== undefined && isConfirmed(tooth) && (hasProblem(tooth) || toothStateOf(tooth) !== "unknown");
  // The tooth at a position counts for the position: the successor of a milk tooth need not be assessed.
  const isAssessedDeciduous = (deciduous: ExaminedTooth | undefined) =>
    isAssessed(deciduous) && deciduous?.presence === "present";
  const expectedTeeth = allTeeth.filter((fdi) => permanentTeeth.includes(fdi) || isNamed(byFdi.get(fdi)));
  return {
    healthy: numbersWhere((tooth) => toothStateOf(tooth) === "sound" && !hasProblem(tooth) && !hasOpenProposal(tooth)),
    problem: numbersWhere(hasProblem),
    treated: numbersWhere((tooth) => isTreated(tooth)),
    missing: numbersWhere(({ presence }) => presence === "missing"),
    unerupted: numbersWhere((tooth) => toothStateOf(tooth) === "unerupted"),
    permanent: numbersWhere((tooth) => isPresent(tooth) && !isDeciduous(tooth.fdi)),
    deciduous: numbersWhere((tooth) => isPresent(tooth) && isDeciduous(tooth.fdi)),
    notAssessed: expectedTeeth.filter((fdi) => {
      const deciduous = predecessorOf(fdi);
      return !isAssessed(byFdi.get(fdi)) && !(deciduous !== null && isAssessedDeciduous(byFdi.get(deciduous)));
    }),
  };
}

const isConfirmed = (tooth: ExaminedTooth): boolean => tooth.confirmedBy !== null && tooth.presence !== "unknown";
const isNamed = (tooth: ExaminedTooth | undefined): boolean =>
  tooth !== undefined && (tooth.presence !== "unknown" || tooth.findings.length > 0);
const isTreated = (tooth: ExaminedTooth): boolean =>
  toothStateOf(tooth) === "filled" || tooth.crown === 2 || tooth.presence === "implant" || tooth.presence === "pontic";
