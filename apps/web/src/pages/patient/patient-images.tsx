import { Stack } from "@mantine/core";
import { UploadPanel } from "../../study/upload/upload-panel.tsx";
import { PatientCollection } from "./patient-study-collection.tsx";
import type { PatientTabProps } from "./patient-tabs.tsx";

/** All images of a patient, over the whole width. */
export const PatientImages = ({ patient: { id, name } }: PatientTabProps) => (
  <Stack gap="lg" miw={0}>
    <UploadPanel patientId={id} patientName={name} />
    <PatientCollection patientId={id} />
  </Stack>
);
