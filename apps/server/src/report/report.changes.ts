import { patientFactNames } from "@arcada/contract/report/report.schema";
import type { ReportBasis, ReportChanges } from "@arcada/contract/report/report.schema";

/**
 * Returns the changes between two states of the sources; null: none. `teeth`: those that the chart changed in the
 * meantime.
 */
export function findSourceChanges(
  seenBasis: ReportBasis,
  currentBasis: ReportBasis,
  teeth: number[],
): ReportChanges | null {
  const changes = {
    patient: patientFactNames.filter((name) => seenBasis.patient[name] !== currentBasis.patient[name]),
    chart: seenBasis.chartVersion !== currentBasis.chartVersion,
    teeth,
    tracing: seenBasis.tracingVersion !== currentBasis.tracingVersion,
  };
  return changes.patient.length > 0 || changes.chart || changes.tracing ? changes : null;
}
