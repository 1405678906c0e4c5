import { Stack } from "@mantine/core";
import { FoundTeeth } from "../../analysis/found-teeth.tsx";
import { PatientChart } from "../../chart/patient-chart.tsx";
import type { PatientTabProps } from "./patient-tabs.tsx";

/** The patient's teeth, and above them those that an engine found and nobody has decided on. */
export function PatientChartTab({ patient: { id, age } }: PatientTabProps) {
  return (
    <Stack gap="lg">
      <FoundTeeth patientId={id} />
      <PatientChart key={id} patientId={id} age={age} />
    </Stack>
  );
}
