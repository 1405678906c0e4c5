import { predecessorOf } from "@arcada/contract/chart/chart.rules";
import { allTeeth, isDeciduous, permanentTeeth } from "@arcada/contract/kernel/tooth";
import type { ToothLists } from "@arcada/contract/report/report.shape";
import { isOpen, isProblem, stateOf } from "./tooth-state.ts";
import type { Judged } from "./tooth-state.ts";

/**
 * A chart's teeth as a report lists them, each list in the chart's order. A tooth that no dentist confirmed is in
 * `notAssessed` and nowhere else: silence is never health. Milk teeth that the chart does not name are in no list.
 */
export function toothLists(teeth: readonly Judged[]): ToothLists {
  const byName = new Map(teeth.map((tooth) => [tooth.fdi, tooth]));
  const known = allTeeth.flatMap((fdi) => {
    const tooth = byName.get(fdi);
    return tooth && isConfirmed(tooth) ? [tooth] : [];
  });
  const those = (is: (tooth: Judged) => boolean) => known.filter(is).map(({ fdi }) => fdi);
  const isThere = ({ presence }: Judged) => presence === "present" || presence === "root";
  const isAssessed = (tooth: Judged | undefined) =>
    tooth !== undefined && isConfirmed(tooth) && (isProblem(tooth) || stateOf(tooth) !== "unknown");
  // The tooth at a position counts for the position: the successor of a milk tooth need not be assessed.
  const isHeld = (milk: Judged | undefined) => isAssessed(milk) && milk?.presence === "present";
  const counted = allTeeth.filter((fdi) => permanentTeeth.includes(fdi) || isNamed(byName.get(fdi)));
  return {
    healthy: those((tooth) => stateOf(tooth) === "sound" && !isProblem(tooth) && !isOpen(tooth)),
    problem: those(isProblem),
    treated: those((tooth) => isTreated(tooth)),
    missing: those(({ presence }) => presence === "missing"),
    unerupted: those((tooth) => stateOf(tooth) === "unerupted"),
    permanent: those((tooth) => isThere(tooth) && !isDeciduous(tooth.fdi)),
    deciduous: those((tooth) => isThere(tooth) && isDeciduous(tooth.fdi)),
    notAssessed: counted.filter((fdi) => {
      const milk = predecessorOf(fdi);
      return !isAssessed(byName.get(fdi)) && !(milk !== null && isHeld(byName.get(milk)));
    }),
  };
}

const isConfirmed = (tooth: Judged): boolean => tooth.confirmedBy !== null && tooth.presence !== "unknown";
const isNamed = (tooth: Judged | undefined): boolean =>
  tooth !== undefined && (tooth.presence !== "unknown" || tooth.findings.length > 0);
const isTreated = (tooth: Judged): boolean =>
  stateOf(tooth) === "filled" || tooth.crown === 2 || tooth.presence === "implant" || tooth.presence === "pontic";
