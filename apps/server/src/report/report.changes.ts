import { patientFactNames } from "@arcada/contract/report/report.shape";
import type { ReportBasis, ReportChanges } from "@arcada/contract/report/report.shape";

/**
 * Returns the changes between two states of the sources; null: none. `teeth`: those that the chart changed in the
 * meantime.
 */
export function changesOf(seen: ReportBasis, now: ReportBasis, teeth: number[]): ReportChanges | null {
  const changes = {
    patient: patientFactNames.filter((name) => seen.patient[name] !== now.patient[name]),
    chart: seen.chartVersion !== now.chartVersion,
    teeth,
    tracing: seen.tracingVersion !== now.tracingVersion,
  };
  return changes.patient.length > 0 || changes.chart || changes.tracing ? changes : null;
}
