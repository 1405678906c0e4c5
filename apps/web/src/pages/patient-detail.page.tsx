import { Button } from "@mantine/core";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { ScreenLink, useSearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { PatientHeader } from "../patient/patient-header.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { EmptyState, LoadingState } from "../ui/page-states.tsx";
import { PatientTabs } from "./patient/patient-tabs.tsx";

/** One patient: identity, images and orders. */
export function Page() {
  const t = useTexts("patient");
  const { id } = useSearchParams();
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
    <QueryResult of={query} loading={<LoadingState lines={9} />}>
      {(patient) => (
        <PatientHeader patient={patient}>
          <PatientTabs patient={patient} />
        </PatientHeader>
      )}
    </QueryResult>
  );
}
