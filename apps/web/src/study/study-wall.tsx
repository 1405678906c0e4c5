import { VisuallyHidden } from "@mantine/core";
import { useId, useRef, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { studyKinds } from "@arcada/contract/study/study.rules";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { useTexts } from "../i18n/texts.ts";
import { StudyCard } from "./study-card.tsx";
import { formatStudyDay, getCalendarDay, kindIcons } from "./study-kinds.ts";
import type { StudySelection } from "./study-selection.tsx";
import classes from "./study-collection.module.css";

export type Grouping = "kind" | "date";

interface WallProps {
  studies: readonly StudyRow[];
  grouping: Grouping;
  selection: StudySelection;
  onDetails: (id: string) => void;
}

/**
 * The pictures of a patient in groups, like films on a light box. The wall is one stop of the Tab key; arrow keys move
 * between its pictures.
 */
export function StudyWall({ studies, grouping, selection, onDetails }: WallProps) {
  const t = useTexts("study");
  const [current, setCurrent] = useState<string | null>(null);
  const wall = useRef<HTMLDivElement>(null);
  const keysId = useId();
  const groups = (grouping === "kind" ? groupByKind : groupByDate)(studies);
  const stop = studies.some(({ id }) => id === current) ? current : groups[0]?.[1][0]?.id;
  const handleKey = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || !event.target.matches(linkSelector)) return;
    const id = event.target.dataset["study"] ?? "";
    if (event.key === " ") selection.toggle(id);
    else if (!focusNeighbour(wall.current, event.target, event.key)) return;
    event.preventDefault();
  };
  return (
    <div ref={wall} className={classes.groups} onKeyDown={handleKey} aria-describedby={keysId} role="group">
      <VisuallyHidden id={keysId}>{t("study.keys")}</VisuallyHidden>
      {groups.map(([key, rows]) => (
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
              isTabStop={study.id === stop}
              isChosen={selection.ids.has(study.id)}
              onFocus={() => setCurrent(study.id)}
              onChoose={() => selection.toggle(study.id)}
              onDetails={() => onDetails(study.id)}
            />
          ))}
        </StudyGroup>
      ))}
    </div>
  );
}

const linkSelector = "a[data-study]";

/** Moves the focus in the direction of an arrow key. Returns false for other keys. */
function focusNeighbour(wall: HTMLElement | null, from: HTMLElement, key: string): boolean {
  const links = [...(wall?.querySelectorAll<HTMLElement>(linkSelector) ?? [])];
  const at = links.indexOf(from);
  // The order of the page is the reader's: in Arabic the next picture is to the left.
  const isRightToLeft = getComputedStyle(from).direction === "rtl";
  const [next, previous] = isRightToLeft ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
  const target =
    key === next
      ? links[at + 1]
      : key === previous
        ? links[at - 1]
        : key === "Home"
          ? links[0]
          : key === "End"
            ? links.at(-1)
            : key === "ArrowDown" || key === "ArrowUp"
              ? findInNextRow(links, from, key === "ArrowDown" ? 1 : -1)
              : null;
  if (target === null) return false;
  target?.focus();
  return true;
}

/** Returns the nearest picture of the next row below (1) or above (-1). */
function findInNextRow(links: readonly HTMLElement[], from: HTMLElement, way: 1 | -1): HTMLElement | undefined {
  const centre = (link: HTMLElement) => {
    const { left, right, top } = (link.closest("li") ?? link).getBoundingClientRect();
    return { x: (left + right) / 2, top };
  };
  const own = centre(from);
  const beyond = links
    .map((link) => ({ link, ...centre(link) }))
    .filter(({ top }) => (top - own.top) * way > 1)
    .toSorted((one, other) => (one.top - other.top) * way);
  const row = beyond.filter(({ top }) => Math.abs(top - beyond[0]!.top) <= 1);
  return row.toSorted((one, other) => Math.abs(one.x - own.x) - Math.abs(other.x - own.x))[0]?.link;
}

type Groups = [key: string, rows: StudyRow[]][];
const groupByKind = (list: readonly StudyRow[]): Groups =>
  studyKinds
    .map((kind): Groups[number] => [kind, list.filter((study) => study.kind === kind)])
    .filter(([, rows]) => rows.length > 0);
const groupByDate = (list: readonly StudyRow[]): Groups =>
  [...Map.groupBy(list, getCalendarDay)]
    .toSorted(([one], [other]) => other.localeCompare(one))
    .map(([, rows]) => [
      formatStudyDay(rows[0]!),
      rows.toSorted((one, other) => studyKinds.indexOf(one.kind) - studyKinds.indexOf(other.kind)),
    ]);

function StudyGroup({ title, count, children }: { title: ReactNode; count: number; children: ReactNode }) {
  return (
    <section className={classes.group}>
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
