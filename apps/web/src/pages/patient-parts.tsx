import { Stack } from "@mantine/core";
import { ConsentList } from "../consent/consent-list.tsx";
import { PatientData } from "../patient/patient-data.tsx";
import { PatientLookList } from "../trail/patient-looks.tsx";
import { VisitList } from "../visit/visit-list.tsx";
import type { PatientTabProps } from "./patient-tabs.tsx";

export const PatientVisits = ({ patient: { id } }: PatientTabProps) => <VisitList patientId={id} />;
export const PatientConsents = ({ patient: { id, name } }: PatientTabProps) => (
  <ConsentList patientId={id} patientName={name} />
);
export const PatientLooks = ({ patient }: PatientTabProps) => (
  <Stack gap="lg">
    <PatientLookList patientId={patient.id} />
    <PatientData patient={patient} />
  </Stack>
);
