import { Stack } from "@mantine/core";
import { ConsentList } from "../../consent/consent-list.tsx";
import { PatientDataActions } from "../../patient/patient-data-actions.tsx";
import { PatientAccessList } from "../../audit/patient-access-list.tsx";
import { VisitList } from "../../visit/visit-list.tsx";
import type { PatientTabProps } from "./patient-tabs.tsx";

export const PatientVisits = ({ patient: { id } }: PatientTabProps) => <VisitList patientId={id} />;
export const PatientConsents = ({ patient: { id, name } }: PatientTabProps) => (
  <ConsentList patientId={id} patientName={name} />
);
export const PatientAccessLog = ({ patient }: PatientTabProps) => (
  <Stack gap="lg">
    <PatientAccessList patientId={patient.id} />
    <PatientDataActions patient={patient} />
  </Stack>
);
