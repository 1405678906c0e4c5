import { ReportList } from "../../report/report-list.tsx";
import type { PatientTabProps } from "./patient-tabs.tsx";

export const PatientReports = ({ patient: { id } }: PatientTabProps) => <ReportList patientId={id} />;
