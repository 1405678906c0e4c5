import { PatientChart } from "../../chart/patient-chart.tsx";
import type { PatientTabProps } from "./patient-tabs.tsx";

/** The patient's teeth. */
export function PatientChartTab({ patient: { id, age } }: PatientTabProps) {
  return <PatientChart key={id} patientId={id} age={age} />;
}
