import { ConsentList } from "../consent/consent-list.tsx";
import { PatientLookList } from "../trail/patient-looks.tsx";
import { VisitList } from "../visit/visit-list.tsx";
import type { PatientTabProps } from "./patient-tabs.tsx";

export const PatientVisits = ({ patient: { id } }: PatientTabProps) => <VisitList patientId={id} />;
export const PatientConsents = ({ patient: { id, name } }: PatientTabProps) => (
  <ConsentList patientId={id} patientName={name} />
);
export const PatientLooks = ({ patient: { id } }: PatientTabProps) => <PatientLookList patientId={id} />;
