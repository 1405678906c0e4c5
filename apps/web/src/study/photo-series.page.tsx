import { Button, Group, Select } from "@mantine/core";
import { IconCamera, IconPrinter } from "@tabler/icons-react";
import { Suspense, lazy } from "react";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { ScreenLink, useOpenScreen, useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { usePageTitle } from "../browser/page-title.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { formatDay } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useSignedInUser } from "../session/current-user.ts";
import { listPhotoSeries, PhotoSeriesSheet } from "./photo-series/photo-series-sheet.tsx";
import { savePhotoSeries } from "./photo-series/save-photo-series.ts";
import { getOwner } from "./upload/upload-batches.ts";
import { BusyState } from "../ui/busy-state.tsx";
import { PageBody } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { QueryResult } from "../ui/query-result.tsx";

const TakePhotoSeries = lazy(async () => ({
  default: (await import("./photo-series/take-photo-series.tsx")).TakePhotoSeries,
}));

/** A patient's photo series as sheets by day; with `take` in the address the camera. */
export function Page() {
  const t = useTexts("study");
  const { patient } = useSearchParams();
  if (patient) return <SeriesOfPatient key={patient} patientId={patient} />;
  return <EmptyState title={t("study.photoSeries.noPatient")} />;
}

function SeriesOfPatient({ patientId }: { patientId: string }) {
  const { take } = useSearchParams();
  const query = useCall(patientCalls.detail, { id: patientId });
  return (
    <QueryResult of={query}>
      {(patient) => (take ? <Camera patient={patient} /> : <Sheets patient={patient} />)}
    </QueryResult>
  );
}

function Camera({ patient: { id, name } }: { patient: Patient }) {
  const t = useTexts("study");
  const go = useOpenScreen();
  const owner = getOwner(useSignedInUser());
  usePageTitle(name);
  return (
    <Suspense fallback={<BusyState />}>
      <TakePhotoSeries
        patientName={name}
        onClose={() => go("patientDetail", { id, tab: "images" })}
        onSave={(photos) => {
          savePhotoSeries({ owner, patient: { id, name } }, photos, (view) => t(`study.photoSeries.view.${view}`));
          toast("success", t("study.photoSeries.saved"));
          go("patientDetail", { id, tab: "images" });
        }}
      />
    </Suspense>
  );
}

function Sheets({ patient: { id, name } }: { patient: Patient }) {
  const t = useTexts("study");
  usePageTitle(name);
  const studies = useCall(studyCalls.list, { patientId: id, kind: "photo" });
  return (
    <QueryResult of={studies}>
      {(list) => <SheetOfDay patientId={id} patientName={name} studies={list} t={t} />}
    </QueryResult>
  );
}

interface SheetProps {
  patientId: string;
  patientName: string;
  studies: readonly StudyRow[];
  t: ReturnType<typeof useTexts>;
}

function SheetOfDay({ patientId, patientName, studies, t }: SheetProps) {
  const { day } = useSearchParams();
  const setAddress = useSetSearchParams();
  const all = listPhotoSeries(studies);
  const shown = all.find((series) => series.day === day) ?? all[0];
  const takeButton = (
    <Button
      component={ScreenLink}
      screen="photoSeries"
      search={{ patient: patientId, take: "1" }}
      leftSection={<IconCamera size={17} stroke={1.7} aria-hidden />}
    >
      {t("study.photoSeries.start")}
    </Button>
  );
  return (
    <PageBody
      title={patientName}
      description={`${t("study.photoSeries.title")}${shown ? ` · ${formatDay(shown.day)}` : ""}`}
      actions={
        <>
          {all.length > 1 && (
            <Select
              aria-label={t("study.photoSeries.day")}
              w={160}
              allowDeselect={false}
              value={shown?.day ?? null}
              onChange={(value) => setAddress({ day: value ?? undefined })}
              data={all.map((series) => ({ value: series.day, label: formatDay(series.day) }))}
            />
          )}
          {shown && (
            <Button
              variant="default"
              leftSection={<IconPrinter size={17} stroke={1.7} aria-hidden />}
              onClick={() => window.print()}
            >
              {t("study.photoSeries.print")}
            </Button>
          )}
          {takeButton}
        </>
      }
    >
      {shown ? (
        <PhotoSeriesSheet series={shown} title={`${t("study.photoSeries.title")} ${formatDay(shown.day)}`} />
      ) : (
        <Group justify="center">
          <EmptyState title={t("study.photoSeries.none")} text={t("study.photoSeries.noneText")} />
        </Group>
      )}
    </PageBody>
  );
}
