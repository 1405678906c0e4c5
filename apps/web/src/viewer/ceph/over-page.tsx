import { MultiSelect, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { cephCalls, type CephFilm, type CephTracing } from "@arcada/contract/ceph/ceph.calls";
import { cephLandmarks, type CephLandmark } from "@arcada/contract/ceph/ceph.shape";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { superimposed, type Superimposed } from "@arcada/analysis/ceph/superimpose";
import { landmarkSign } from "@arcada/analysis/ceph/signs";
import { showDay } from "../../kernel/format.ts";
import { useSearch, useSetSearch } from "../../kernel/link.tsx";
import { useTexts } from "../../kernel/texts.ts";
import { useCall } from "../../kernel/use-call.ts";
import { Answer } from "../../ui/answer.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { RoomBack, ViewerRoom } from "../frame/room.tsx";
import { Nothing } from "../frame/states.tsx";
import styles from "./ceph.module.css";
import { OverDrawing } from "./over-drawing.tsx";
import { ChangeTable, MovedTable } from "./over-tables.tsx";

type Traced = CephFilm & { tracing: CephTracing };

/**
 * The superimposition of two tracings of a patient: `patient` in the address, the radiographs as `first` and `second`.
 */
export function OverPage() {
  const t = useTexts("ceph", "viewer");
  const { patient } = useSearch();
  if (!patient) return <EmptyState title={t("viewer.compare.noPatient")} />;
  return <Films patientId={patient} />;
}

function Films({ patientId }: { patientId: string }) {
  const t = useTexts("ceph", "viewer");
  const name = useCall(patientCalls.detail, { id: patientId }).data?.name;
  const query = useCall(cephCalls.list, { patientId });
  return (
    <Answer of={query}>
      {(films) => {
        const traced = films.filter((film): film is Traced => film.tracing !== null);
        return (
          <ViewerRoom
            back={
              <RoomBack
                screen="patientDetail"
                search={{ id: patientId, tab: "ceph" }}
                label={t("viewer.backToPatient")}
              />
            }
            title={name ?? t("ceph.over.title")}
            text={name ? t("ceph.over.title") : ""}
          >
            {traced.length < 2 ? <Nothing label={t("ceph.over.needTwo")} /> : <Both films={traced} />}
          </ViewerRoom>
        );
      }}
    </Answer>
  );
}

const ways = ["skullBase", "palate", "best"] as const;
type Way = (typeof ways)[number];

function Both({ films }: { films: readonly Traced[] }) {
  const t = useTexts("ceph");
  const { first, second } = useSearch();
  const later = films.find(({ instanceId }) => instanceId === second) ?? films[0]!;
  const earlier = films.find(({ instanceId }) => instanceId === first) ?? films.find((film) => film !== later)!;
  const [way, setWay] = useState<Way>("skullBase");
  const [landmarks, setLandmarks] = useState<CephLandmark[]>(["S", "N", "Or", "Po", "ANS", "PNS"]);
  const over = superimposed(earlier.tracing.content, later.tracing.content, way === "best" ? landmarks : way);
  return (
    <div className={styles.over}>
      {over ? <OverDrawing over={over} /> : <Nothing label={t("ceph.over.cannot")} />}
      <aside className={styles.side} aria-label={t("ceph.over.title")}>
        <Stack gap="sm" className={styles.panel}>
          <FilmSelect name="first" films={films} chosen={earlier} />
          <FilmSelect name="second" films={films} chosen={later} />
          <Select
            size="xs"
            label={t("ceph.over.on")}
            value={way}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            onChange={(name) => setWay(name as Way)}
            data={ways.map((name) => ({ value: name, label: t(`ceph.over.${name}`) }))}
          />
          {way === "best" && (
            <MultiSelect
              size="xs"
              label={t("ceph.over.landmarks")}
              value={landmarks}
              searchable
              comboboxProps={{ withinPortal: false }}
              onChange={(chosen) => setLandmarks(chosen as CephLandmark[])}
              data={cephLandmarks
                .filter((id) => earlier.tracing.content.landmarks[id] && later.tracing.content.landmarks[id])
                .map((id) => ({ value: id, label: landmarkSign(id) }))}
            />
          )}
          {over && <Numbers over={over} films={[earlier, later]} />}
        </Stack>
      </aside>
    </div>
  );
}

function FilmSelect({ name, films, chosen }: { name: "first" | "second"; films: readonly Traced[]; chosen: Traced }) {
  const t = useTexts("ceph");
  const setSearch = useSetSearch();
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
      data={films.map(({ instanceId, takenAt, createdAt, name: file }) => ({
        value: instanceId,
        label: [showDay(takenAt ?? createdAt), file].join(" · "),
      }))}
    />
  );
}

function Numbers({ over, films }: { over: Superimposed; films: readonly [Traced, Traced] }) {
  const t = useTexts("ceph");
  return (
    <>
      {!over.isMm && (
        <Text size="xs" c="yellow">
          {t("ceph.over.noMm")}
        </Text>
      )}
      <ChangeTable films={films} />
      {over.isMm && <MovedTable over={over} />}
      <Text size="xs" c="dimmed">
        {t("ceph.schematic")}
      </Text>
    </>
  );
}
