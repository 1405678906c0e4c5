import { findingCodes, type ChartTooth, type Finding } from "@arcada/contract/chart/chart.shape";

/** What a tooth counts as: by WHO's codes for dentition where they apply. */
export type ToothState = "sound" | "decayed" | "filled" | "missing" | "unerupted" | "unknown";

export type Judged = Pick<ChartTooth, "fdi" | "presence" | "crown" | "confirmedBy"> & {
  findings: readonly Pick<Finding, "code" | "status" | "severity">[];
};

const isTrue = ({ status }: Pick<Finding, "status">): boolean => status === "accepted" || status === "added";

/**
 * The state of one tooth as a dentist confirmed it; "unknown" where nobody did, or where its crown was not looked at.
 * WHO, Oral Health Surveys, 5th edition: 0 and 6 sound, 1 and 2 decayed, 3 and 7 filled, 4 and 5 missing, 8 unerupted.
 */
export function stateOf(tooth: Judged | undefined): ToothState {
  if (!tooth || tooth.confirmedBy === null) return "unknown";
  switch (tooth.presence) {
    case "unknown":
      return "unknown";
    case "missing":
    case "implant":
    case "pontic":
      return "missing";
    case "unerupted":
    case "impacted":
      return "unerupted";
    // Of a tooth of which only the root is left, the crown was lost to decay: code 1.
    case "root":
      return "decayed";
    case "present":
      return crownOf(tooth);
  }
}

/** Where no code was given, what was found tells it. Initial caries leaves a crown sound, as WHO counts. */
function crownOf(tooth: Judged): ToothState {
  switch (tooth.crown) {
    case 1:
    case 2:
      return "decayed";
    case 3:
    case 7:
      return "filled";
    case 0:
    case 6:
      return "sound";
    case null:
      if (tooth.findings.some((one) => isTrue(one) && one.code === "caries" && one.severity !== "initial"))
        return "decayed";
      return tooth.findings.some((one) => isTrue(one) && (one.code === "filling" || one.code === "crown"))
        ? "filled"
        : "unknown";
  }
}

/** Something that a dentist says is wrong with the tooth. Treatments and stages of eruption are not. */
export const isProblem = (tooth: Judged): boolean =>
  tooth.confirmedBy !== null &&
  tooth.presence !== "unknown" &&
  (stateOf(tooth) === "decayed" || tooth.findings.some((one) => isTrue(one) && findingCodes[one.code] === "suspected"));

/** Something that was suggested and nobody has decided yet. */
export const isOpen = ({ findings }: Judged): boolean => findings.some(({ status }) => status === "proposed");
