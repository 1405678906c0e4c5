import { findingCodes, type ChartTooth, type Finding } from "@arcada/contract/chart/chart.schema";

/** The state of a tooth for statistics: by the WHO codes for dentition where they apply. */
export type ToothState = "sound" | "decayed" | "filled" | "missing" | "unerupted" | "unknown";

export type ExaminedTooth = Pick<ChartTooth, "fdi" | "presence" | "crown" | "confirmedBy"> & {
  findings: readonly Pick<Finding, "code" | "status" | "severity">[];
};

const isConfirmedFinding = ({ status }: Pick<Finding, "status">): boolean =>
  status === "accepted" || status === "added";

/**
 * Returns the state of one tooth as a dentist confirmed it; "unknown" if nobody did, or if its crown was not examined.
 * WHO, Oral Health Surveys, 5th edition: 0 and 6 sound, 1 and 2 decayed, 3 and 7 filled, 4 and 5 missing, 8 unerupted.
 */
export function toothStateOf(tooth: ExaminedTooth | undefined): ToothState {
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
    // A tooth of which only the root is left has lost its crown to decay: code 1.
    case "root":
      return "decayed";
    case "present":
      return crownState(tooth);
  }
}

/** Without a code, the findings decide. Initial caries leaves a crown sound, as WHO counts. */
function crownState(tooth: ExaminedTooth): ToothState {
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
      if (
        tooth.findings.some(
          (finding) => isConfirmedFinding(finding) && finding.code === "caries" && finding.severity !== "initial",
        )
      )
        return "decayed";
      return tooth.findings.some(
        (finding) => isConfirmedFinding(finding) && (finding.code === "filling" || finding.code === "crown"),
      )
        ? "filled"
        : "unknown";
  }
}

/** Returns true if a dentist states a problem of the tooth. Treatments and stages of eruption are no problems. */
export const hasProblem = (tooth: ExaminedTooth): boolean =>
  tooth.confirmedBy !== null &&
  tooth.presence !== "unknown" &&
  (toothStateOf(tooth) === "decayed" ||
    tooth.findings.some((finding) => isConfirmedFinding(finding) && findingCodes[finding.code] === "suspected"));

/** Something that was suggested and nobody has decided yet. */
export const hasOpenProposal = ({ findings }: ExaminedTooth): boolean =>
  findings.some(({ status }) => status === "proposed");
