import { ActionIcon, SegmentedControl, Skeleton, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconColumns, IconDownload, IconLayoutGrid, IconPhotoPlus, IconSquareCheck } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { studyDownloadCalls, studyDownloadRules } from "@arcada/contract/study/study-download.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { Study, StudyRow } from "@arcada/contract/study/study.schema";
import { studyKinds, isImageKind } from "@arcada/contract/study/study.rules";
import { ScreenLink, useOpenScreen } from "../browser/navigation.tsx";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { StudyBin } from "./inbox/study-bin.tsx";
import { StudyCard } from "./study-card.tsx";
import { DownloadStudies } from "./download-studies.tsx";
import { StudyDrawer } from "./study-drawer.tsx";
import { getCalendarDay, formatStudyDay, kindIcons } from "./study-kinds.ts";
import classes from "./study-collection.module.css";

/** Addresses of images expire after five minutes. */
const renewMs = 240_000;
type Grouping = "kind" | "date";

interface Props {
  patientId: string;
  /** Actions of other parts of the product on a study. */
  actions?: (study: Study) => ReactNode;
}

/** All studies of a patient, by kind or by date. */
export function StudyCollection({ patientId, actions }: Props) {
  const t = useTexts("study");
  const [grouping, setGrouping] = useState<Grouping>("kind");
  const [shown, setShown] = useState<string | null>(null);
  const selection = usePairSelection(patientId);
  const studies = useCall(studyCalls.list, { patientId }, { pollMs: renewMs });
  return (
    <Section
      title={t("study.title")}
      actions={
        <>
          {(studies.data?.length ?? 0) > 1 && <GroupingSelect grouping={grouping} onChange={setGrouping} />}
          {(studies.data?.length ?? 0) > 1 && <DownloadAll studies={studies.data ?? []} patientId={patientId} />}
          <MultiViewLinks studies={studies.data ?? []} patientId={patientId} />
          <ChoosePairButton studies={studies.data ?? []} selection={selection} />
          <StudyBin patientId={patientId} />
        </>
      }
    >
      <QueryResult
        of={studies}
        loading={<LoadingCards />}
        empty={<EmptyState title={t("study.none.title")} text={t("study.none.text")} />}
      >
        {(list) => (
          <div className={classes.groups}>
            {(grouping === "kind" ? groupByKind(list) : groupByDate(list)).map(([key, rows]) => (
              <StudyGroup
                key={key}
                title={grouping === "kind" ? <KindTitle kind={rows[0]!.kind} /> : key}
                count={rows.length}
              >
                {rows.map((study) => (
                  <StudyCard
                    key={study.id}
                    study={study}
                    shownField={grouping === "kind" ? "date" : "kind"}
                    onDetails={() => setShown(study.id)}
                    {...(selection.chosen && isImage(study) && { selection: selection.getSelection(study) })}
                  />
                ))}
              </StudyGroup>
            ))}
          </div>
        )}
      </QueryResult>
      <StudyDrawer id={shown} actions={actions} onClose={() => setShown(null)} />
    </Section>
  );
}

function GroupingSelect({ grouping, onChange }: { grouping: Grouping; onChange: (grouping: Grouping) => void }) {
  const t = useTexts("study");
  return (
    <SegmentedControl
      size="xs"
      aria-label={t("study.groupBy")}
      data={[
        { value: "kind", label: t("study.byKind") },
        { value: "date", label: t("study.byDate") },
      ]}
      value={grouping}
      onChange={(value) => onChange(value as Grouping)}
    />
  );
}

const isImage = ({ kind }: StudyRow): boolean => isImageKind(kind);

interface PairSelection {
  /** Null outside the selection mode. */
  chosen: readonly StudyRow[] | null;
  toggle: () => void;
  getSelection: (study: StudyRow) => { isChosen: boolean; onChoose: () => void };
}

/** Two studies that are chosen one after the other and opened side by side: the older on the left. */
function usePairSelection(patientId: string): PairSelection {
  const go = useOpenScreen();
  const [chosen, setChosen] = useState<readonly StudyRow[] | null>(null);
  const choose = (study: StudyRow) => {
    const rest = (chosen ?? []).filter(({ id }) => id !== study.id);
    const next = rest.length === chosen?.length ? [...rest, study] : rest;
    setChosen(next);
    if (next.length < 2) return;
    const [left, right] = next.toSorted((one, other) => getCalendarDay(one).localeCompare(getCalendarDay(other)));
    go("compare", { patient: patientId, left: left!.id, right: right!.id });
  };
  return {
    chosen,
    toggle: () => setChosen((now) => (now ? null : [])),
    getSelection: (study) => ({
      isChosen: chosen?.some(({ id }) => id === study.id) ?? false,
      onChoose: () => choose(study),
    }),
  };
}

function ChoosePairButton({ studies, selection }: { studies: readonly StudyRow[]; selection: PairSelection }) {
  const t = useTexts("study");
  if (studies.filter(isImage).length < 3) return null;
  return (
    <Tooltip label={t("study.chooseTwo")}>
      <ActionIcon
        variant={selection.chosen ? "light" : "subtle"}
        color={selection.chosen ? "brand" : "gray"}
        aria-label={t("study.chooseTwo")}
        aria-pressed={selection.chosen !== null}
        onClick={selection.toggle}
      >
        <IconSquareCheck size={18} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** Links to views of several images at once. */
function MultiViewLinks({ studies, patientId }: { studies: readonly StudyRow[]; patientId: string }) {
  const t = useTexts("study");
  const images = studies.filter(isImage);
  const multiViews = [
    { screen: "compare", icon: IconColumns, label: t("study.compare"), isOf: images.length > 1 },
    {
      screen: "filmMount",
      icon: IconLayoutGrid,
      label: t("study.filmMount"),
      isOf: studies.some(({ kind }) => kind === "dentalFilm"),
    },
    {
      screen: "filmMount",
      kind: "photos",
      icon: IconPhotoPlus,
      label: t("study.photoMount"),
      isOf: studies.some(({ kind }) => kind === "photo"),
    },
  ] as const;
  return multiViews
    .filter(({ isOf: isAvailable }) => isAvailable)
    .map(({ screen, icon: Icon, label, ...more }) => (
      <Tooltip key={label} label={label}>
        <ActionIcon
          component={ScreenLink}
          screen={screen}
          search={{ patient: patientId, kind: "kind" in more ? more.kind : undefined }}
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

type Groups = [key: string, rows: StudyRow[]][];
const groupByKind = (list: readonly StudyRow[]): Groups =>
  studyKinds
    .map((kind): Groups[number] => [kind, list.filter((study) => study.kind === kind)])
    .filter(([, rows]) => rows.length > 0);
const groupByDate = (list: readonly StudyRow[]): Groups =>
  [...Map.groupBy(list, getCalendarDay)]
    .toSorted(([one], [other]) => other.localeCompare(one))
    .map(([, rows]) => [formatStudyDay(rows[0]!), rows]);

function StudyGroup({ title, count, children }: { title: ReactNode; count: number; children: ReactNode }) {
  return (
    <section className={classes.group} data-single={count === 1 || undefined}>
      <h3 className={classes.heading}>
        {title} <span className={classes.count}>{count}</span>
      </h3>
      <ul className={classes.cards}>{children}</ul>
    </section>
  );
}

function KindTitle({ kind }: { kind: StudyRow["kind"] }) {
  const t = useTexts("study");
  const Icon = kindIcons[kind];
  return (
    <>
      <Icon size={18} stroke={1.6} aria-hidden />
      {t(`study.kind.${kind}`)}
    </>
  );
}

function LoadingCards() {
  const t = useTexts("study");
  return (
    <div className={classes.cards} role="status" aria-label={t("common.loading")}>
      {[0, 1, 2].map((card) => (
        <Skeleton key={card} className={classes.waiting} height={178} radius="md" />
      ))}
    </div>
  );
}
