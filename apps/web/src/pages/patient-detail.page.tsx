import { Button, Stack } from "@mantine/core";
import { Suspense, lazy } from "react";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { ScreenLink, useSearch } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { PatientHead } from "../patient/patient-head.tsx";
import { PatientRecord } from "../patient/patient-record.tsx";
import { PatientTimeline } from "../patient/patient-timeline.tsx";
import { ShareStudy } from "../share/share-button.tsx";
import { StudyCollection } from "../study/study-collection.tsx";
import { TellingStudies } from "../study/telling-studies.tsx";
import { UploadPanel } from "../study/upload-panel.tsx";
import { Answer } from "../ui/answer.tsx";
import { EmptyState, LoadingState } from "../ui/states.tsx";
import classes from "./patient-detail.module.css";

const PatientOrders = lazy(async () => ({ default: (await import("../order/patient-orders.tsx")).PatientOrders }));

/** One patient: who it is, what was taken of them, what is being made for them. */
export function Page() {
  const t = useTexts("patient");
  const { id } = useSearch();
  if (id) return <NamedPatient key={id} id={id} />;
  return (
    <EmptyState title={t("patient.noId")}>
      <Button component={ScreenLink} screen="patientList">
        {t("patient.toList")}
      </Button>
    </EmptyState>
  );
}

function NamedPatient({ id }: { id: string }) {
  const query = useCall(patientCalls.detail, { id });
  return (
    <Answer of={query} waiting={<LoadingState lines={9} />}>
      {(patient) => (
        <PatientHead patient={patient}>
          <Content patient={patient} />
        </PatientHead>
      )}
    </Answer>
  );
}

function Content({ patient: { id, name, birthDate }, patient }: { patient: Patient }) {
  return (
    <div className={classes.columns}>
      <Stack gap="lg" miw={0}>
        <UploadPanel patientId={id} patientName={name} birthDate={birthDate} />
        <StudyCollection
          patientId={id}
          actions={(study) => (
            <ShareStudy studyId={study.id} telling={<TellingStudies patientId={id} studies={[study]} />} />
          )}
        />
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
