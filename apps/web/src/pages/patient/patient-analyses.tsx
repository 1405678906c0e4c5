import { AnalysesPanel } from "../../analysis/analyses-panel.tsx";
import type { PatientTabProps } from "./patient-tabs.tsx";

export const PatientAnalyses = ({ patient }: PatientTabProps) => <AnalysesPanel patientId={patient.id} />;
