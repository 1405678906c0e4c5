import { PatientCollection } from "./patient-study-collection.tsx";
import type { PatientTabProps } from "./patient-tabs.tsx";

/** All images of a patient, over the whole width. */
export const PatientImages = ({ patient: { id, name } }: PatientTabProps) => (
  <PatientCollection patientId={id} patientName={name} />
);
