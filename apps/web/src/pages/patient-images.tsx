import { Stack } from "@mantine/core";
import { UploadPanel } from "../study/upload-panel.tsx";
import { PatientCollection } from "./patient-collection.tsx";
import type { PatientTabProps } from "./patient-tabs.tsx";

/** Everything that was taken of a patient, over the whole width. */
export const PatientImages = ({ patient: { id, name, birthDate } }: PatientTabProps) => (
  <Stack gap="lg" miw={0}>
    <UploadPanel patientId={id} patientName={name} birthDate={birthDate} />
    <PatientCollection patientId={id} />
  </Stack>
);
