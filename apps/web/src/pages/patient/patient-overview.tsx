import { Stack } from "@mantine/core";
import { Suspense, lazy } from "react";
import { PatientRecord } from "../../patient/patient-record.tsx";
import { PatientTimeline } from "../../patient/patient-timeline.tsx";
import { UploadPanel } from "../../study/upload/upload-panel.tsx";
import { LoadingState } from "../../ui/page-states.tsx";
import classes from "./patient-detail.module.css";
import { PatientCollection } from "./patient-collection.tsx";
import type { PatientTabProps } from "./patient-tabs.tsx";

const PatientOrders = lazy(async () => ({
  default: (await import("../../order/list/patient-orders.tsx")).PatientOrders,
}));

/** A patient's latest images, current orders and record. */
export function PatientOverview({ patient: { id, name }, patient }: PatientTabProps) {
  return (
    <div className={classes.columns}>
      <Stack gap="lg" miw={0}>
        <UploadPanel patientId={id} patientName={name} />
        <PatientCollection patientId={id} />
        <Suspense fallback={<LoadingState lines={4} />}>
          <PatientOrders patientId={id} />
        </Suspense>
      </Stack>
      <Stack gap="lg" miw={0}>
        <PatientRecord patient={patient} />
        <PatientTimeline patientId={id} />
      </Stack>
    </div>
  );
}
