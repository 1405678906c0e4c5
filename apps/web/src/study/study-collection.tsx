import { ActionIcon, Button, Chip, Group, SegmentedControl, Skeleton, Stack, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChecks, IconDownload, IconLayoutGrid, IconPhotoPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { studyDownloadCalls, studyDownloadRules } from "@arcada/contract/study/study-download.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { Study, StudyRow } from "@arcada/contract/study/study.schema";
import { isFixedKind, studyKinds, studyRules, type StudyKind } from "@arcada/contract/study/study.rules";
import { ScreenLink } from "../browser/navigation.tsx";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { listPhotoSeries } from "./photo-series/photo-series-sheet.tsx";
import { PhotoSeriesStrip } from "./photo-series/photo-series-strip.tsx";
import { StudyBin } from "./inbox/study-bin.tsx";
import { DownloadStudies } from "./download-studies.tsx";
import { StudyDrawer } from "./study-drawer.tsx";
import { SelectionBar, useStudySelection } from "./study-selection.tsx";
import { StudyWall, type Grouping } from "./study-wall.tsx";
import classes from "./study-collection.module.css";

/** Addresses of images expire after five minutes. */
const renewMs = 240_000;

interface Props {
  patientId: string;
  /** Above the pictures: where new files are dropped. */
  upload: ReactNode;
  /** Actions of other parts of the product on a study. */
  actions?: (study: Study) => ReactNode;
}

/** All studies of a patient as a wall of pictures, by date or by kind. */
export function StudyCollection({ patientId, upload, actions }: Props) {
  const t = useTexts("study");
  const [grouping, setGrouping] = useState<Grouping>("date");
  const [kind, setKind] = useState<StudyKind | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const selection = useStudySelection();
  const studies = useCall(studyCalls.list, { patientId }, { pollMs: renewMs });
  const all = studies.data ?? [];
  const kinds = studyKinds.filter((one) => all.some((study) => study.kind === one));
  const filter = kind !== null && kinds.includes(kind) ? kind : null;
  // The strip shows them. Whoever asks for photographs alone gets each with its own actions.
  const inSeries = listIdsInSeries(all);
  const isShown = ({ id, kind: its }: StudyRow) => (filter === null ? !inSeries.has(id) : its === filter);
  return (
    <Section
      title={t("study.title")}
      actions={
        <>
          {all.length > 1 && <GroupingSelect grouping={grouping} onChange={setGrouping} />}
          {all.length > 1 && <DownloadAll studies={all} patientId={patientId} />}
          <MultiViewLinks studies={all} patientId={patientId} />
          <StudyBin patientId={patientId} />
        </>
      }
    >
      <Stack gap="md">
        {upload}
        <ConfirmGuessedKinds studies={all} patientId={patientId} />
        {(kinds.length > 1 || inSeries.size > 0) && (
          <KindFilter studies={all} kinds={kinds} kind={filter} onChange={setKind} />
        )}
        {filter === null && <PhotoSeriesStrip patientId={patientId} studies={all} />}
        <QueryResult
          of={studies}
          loading={<LoadingCards />}
          empty={<EmptyState title={t("study.none.title")} text={t("study.none.text")} />}
        >
          {(list) => (
            <StudyWall studies={list.filter(isShown)} grouping={grouping} selection={selection} onDetails={setShown} />
          )}
        </QueryResult>
        <SelectionBar studies={all} selection={selection} patientId={patientId} />
      </Stack>
      <StudyDrawer id={shown} actions={actions} onClose={() => setShown(null)} />
    </Section>
  );
}

/** The photographs that stand in a series, without those that were taken again. */
const listIdsInSeries = (studies: readonly StudyRow[]): Set<string> =>
  new Set(listPhotoSeries(studies).flatMap(({ photos }) => Object.values(photos).map(({ id }) => id)));

function GroupingSelect({ grouping, onChange }: { grouping: Grouping; onChange: (grouping: Grouping) => void }) {
  const t = useTexts("study");
  return (
    <SegmentedControl
      size="xs"
      aria-label={t("study.groupBy")}
      data={[
        { value: "date", label: t("study.byDate") },
        { value: "kind", label: t("study.byKind") },
      ]}
      value={grouping}
      onChange={(value) => onChange(value as Grouping)}
    />
  );
}

/** Confirms all guessed types at once, where each picture with its type is in view. */
function ConfirmGuessedKinds({ studies, patientId }: { studies: readonly StudyRow[]; patientId: string }) {
  const t = useTexts("study");
  const may = useCanAccess(studyCalls.confirmKinds);
  const confirm = useCommand(studyCalls.confirmKinds);
  const guessed = studies.flatMap(({ id, kind, kindCertain }) =>
    kindCertain || isFixedKind(kind) ? [] : [{ id, kind }],
  );
  if (!may || guessed.length === 0) return null;
  return (
    <Group gap="sm" justify="space-between" className={classes.guessed}>
      <Text size="sm">{t("study.guessedKinds", { count: guessed.length })}</Text>
      <Button
        size="xs"
        variant="default"
        loading={confirm.busy}
        leftSection={<IconChecks size={15} aria-hidden />}
        onClick={() => void confirm.run({ patientId, studies: guessed.slice(0, studyRules.maxConfirmedKinds) })}
      >
        {t(guessed.length === 1 ? "study.kindRight" : "study.allKindsRight")}
      </Button>
    </Group>
  );
}

interface KindFilterProps {
  studies: readonly StudyRow[];
  kinds: readonly StudyKind[];
  kind: StudyKind | null;
  onChange: (kind: StudyKind | null) => void;
}

const everyKind = "all";

/** One chip for each kind that the patient has, with its number. */
function KindFilter({ studies, kinds, kind, onChange }: KindFilterProps) {
  const t = useTexts("study");
  const countOf = (one: StudyKind) => studies.filter((study) => study.kind === one).length;
  return (
    <Chip.Group value={kind ?? everyKind} onChange={(chosen) => onChange(kinds.find((one) => one === chosen) ?? null)}>
      <Group gap={6} role="group" aria-label={t("study.filter")}>
        <Chip value={everyKind} size="xs" variant="light">
          {t("study.allKinds")} <span className="arcada-figures">{studies.length}</span>
        </Chip>
        {kinds.map((one) => (
          <Chip key={one} value={one} size="xs" variant="light">
            {t(`study.kind.${one}`)} <span className="arcada-figures">{countOf(one)}</span>
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}

/** Links to views of several images at once. */
function MultiViewLinks({ studies, patientId }: { studies: readonly StudyRow[]; patientId: string }) {
  const t = useTexts("study");
  const multiViews = [
    { kind: undefined, icon: IconLayoutGrid, label: t("study.filmMount"), of: "dentalFilm" },
    { kind: "photos", icon: IconPhotoPlus, label: t("study.photoMount"), of: "photo" },
  ] as const;
  return multiViews
    .filter(({ of }) => studies.some((study) => study.kind === of))
    .map(({ icon: Icon, label, kind }) => (
      <Tooltip key={label} label={label}>
        <ActionIcon
          component={ScreenLink}
          screen="filmMount"
          search={{ patient: patientId, kind }}
          variant="subtle"
          color="gray"
          aria-label={label}
        >
          <Icon size={18} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Tooltip>
    ));
}

function DownloadAll({ studies, patientId }: { studies: readonly StudyRow[]; patientId: string }) {
  const t = useTexts("study");
  const mayDownload = useCanAccess(studyDownloadCalls.download);
  const [isOpen, open] = useDisclosure(false);
  if (!mayDownload) return null;
  return (
    <>
      <Tooltip label={t("study.download.all")}>
        <ActionIcon variant="subtle" color="gray" aria-label={t("study.download.all")} onClick={open.open}>
          <IconDownload size={18} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <DownloadStudies
        studies={studies.slice(0, studyDownloadRules.maxStudies)}
        patientId={patientId}
        opened={isOpen}
        onClose={open.close}
      />
    </>
  );
}

function LoadingCards() {
  const t = useTexts("study");
  return (
    <div className={classes.cards} role="status" aria-label={t("common.loading")}>
      {[296, 148, 148].map((width, card) => (
        <Skeleton key={card} height={204} width={width} radius="md" />
      ))}
    </div>
  );
}
