import { MultiSelect, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { cephCalls, type CephFilm, type CephTracing } from "@arcada/contract/ceph/ceph.calls";
import { cephLandmarks, type CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { superimpose, type Superimposition } from "@arcada/analysis/ceph/superimpose";
import { landmarkLabel } from "@arcada/analysis/ceph/literature-labels";
import { formatDay } from "../../i18n/format.ts";
import { useSearchParams, useSetSearchParams } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { EmptyState } from "../../ui/page-states.tsx";
import { ViewerBackLink, ViewerPageFrame } from "../ui/page/viewer-page-frame.tsx";
import { NothingToShow } from "../ui/page/status-messages.tsx";
import styles from "./ceph.module.css";
import { SuperimpositionDrawing } from "./superimposition-drawing.tsx";
import { MeasurementChangeTable, DisplacementTable } from "./superimposition-tables.tsx";

type TracedRadiograph = CephFilm & { tracing: CephTracing };

/**
 * The superimposition of two tracings of a patient: `patient` in the address, the radiographs as `first` and `second`.
 */
export function SuperimpositionPage() {
  const t = useTexts("ceph", "viewer");
  const { patient } = useSearchParams();
  if (!patient) return <EmptyState title={t("viewer.compare.noPatient")} />;
  return <PatientSuperimposition patientId={patient} />;
}

function PatientSuperimposition({ patientId }: { patientId: string }) {
  const t = useTexts("ceph", "viewer");
  const name = useCall(patientCalls.detail, { id: patientId }).data?.name;
  const query = useCall(cephCalls.list, { patientId });
  return (
    <QueryResult of={query}>
      {(radiographs) => {
        const traced = radiographs.filter((radiograph): radiograph is TracedRadiograph => radiograph.tracing !== null);
        return (
          <ViewerPageFrame
            back={
              <ViewerBackLink
                screen="patientDetail"
                search={{ id: patientId, tab: "ceph" }}
                label={t("viewer.backToPatient")}
              />
            }
            title={name ?? t("ceph.over.title")}
            text={name ? t("ceph.over.title") : ""}
          >
            {traced.length < 2 ? (
              <NothingToShow label={t("ceph.over.needTwo")} />
            ) : (
              <SuperimpositionView radiographs={traced} />
            )}
          </ViewerPageFrame>
        );
      }}
    </QueryResult>
  );
}

const referenceStructures = ["skullBase", "palate", "best"] as const;
type ReferenceStructure = (typeof referenceStructures)[number];

function SuperimpositionView({ radiographs }: { radiographs: readonly TracedRadiograph[] }) {
  const t = useTexts("ceph");
  const { first, second } = useSearchParams();
  const later = radiographs.find(({ instanceId }) => instanceId === second) ?? radiographs[0]!;
  const earlier =
    radiographs.find(({ instanceId }) => instanceId === first) ??
    radiographs.find((radiograph) => radiograph !== later)!;
  const [reference, setReference] = useState<ReferenceStructure>("skullBase");
  const [landmarks, setLandmarks] = useState<CephLandmark[]>(["S", "N", "Or", "Po", "ANS", "PNS"]);
  const superimposition = superimpose(
    earlier.tracing.content,
    later.tracing.content,
    reference === "best" ? landmarks : reference,
  );
  return (
    <div className={styles.over}>
      {superimposition ? (
        <SuperimpositionDrawing superimposition={superimposition} />
      ) : (
        <NothingToShow label={t("ceph.over.cannot")} />
      )}
      <aside className={styles.side} aria-label={t("ceph.over.title")}>
        <Stack gap="sm" className={styles.panel}>
          <RadiographSelect name="first" radiographs={radiographs} chosen={earlier} />
          <RadiographSelect name="second" radiographs={radiographs} chosen={later} />
          <Select
            size="xs"
            label={t("ceph.over.on")}
            value={reference}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            onChange={(name) => setReference(name as ReferenceStructure)}
            data={referenceStructures.map((name) => ({ value: name, label: t(`ceph.over.${name}`) }))}
          />
          {reference === "best" && (
            <MultiSelect
              size="xs"
              label={t("ceph.over.landmarks")}
              value={landmarks}
              searchable
              comboboxProps={{ withinPortal: false }}
              onChange={(chosen) => setLandmarks(chosen as CephLandmark[])}
              data={cephLandmarks
                .filter((id) => earlier.tracing.content.landmarks[id] && later.tracing.content.landmarks[id])
                .map((id) => ({ value: id, label: landmarkLabel(id) }))}
            />
          )}
          {superimposition && (
            <SuperimpositionValues superimposition={superimposition} radiographs={[earlier, later]} />
          )}
        </Stack>
      </aside>
    </div>
  );
}

function RadiographSelect({
  name,
  radiographs,
  chosen,
}: {
  name: "first" | "second";
  radiographs: readonly TracedRadiograph[];
  chosen: TracedRadiograph;
}) {
  const t = useTexts("ceph");
  const setSearch = useSetSearchParams();
  return (
    <Select
      size="xs"
      label={t(`ceph.over.${name}`)}
      leftSection={
        <svg width={20} height={8} aria-hidden>
          <path className={name === "first" ? styles.earlier : styles.later} d="M0,4 H20" />
        </svg>
      }
      value={chosen.instanceId}
      allowDeselect={false}
      comboboxProps={{ withinPortal: false }}
      onChange={(id) => setSearch({ [name]: id ?? undefined })}
      data={radiographs.map(({ instanceId, takenAt, createdAt, name: file }) => ({
        value: instanceId,
        label: [formatDay(takenAt ?? createdAt), file].join(" · "),
      }))}
    />
  );
}

function SuperimpositionValues({
  superimposition,
  radiographs,
}: {
  superimposition: Superimposition;
  radiographs: readonly [TracedRadiograph, TracedRadiograph];
}) {
  const t = useTexts("ceph");
  return (
    <>
      {!superimposition.isMm && (
        <Text size="xs" c="yellow">
          {t("ceph.over.noMm")}
        </Text>
      )}
      <MeasurementChangeTable radiographs={radiographs} />
      {superimposition.isMm && <DisplacementTable superimposition={superimposition} />}
      <Text size="xs" c="dimmed">
        {t("ceph.schematic")}
      </Text>
    </>
  );
}
