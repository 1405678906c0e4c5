import { Select } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import { ageBands } from "@arcada/contract/clinic/clinic.rules";
import type { AgeBand } from "@arcada/contract/clinic/clinic.rules";
import type { ServiceFigures } from "@arcada/contract/clinic/service-figures.calls";
import { workorderTypes } from "@arcada/contract/workorder/workorder.rules";
import { formatTimeAgo } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { Section } from "../ui/page.tsx";
import { ageBandColours, formatDuration } from "./clinic-text.ts";
import classes from "./service-map.module.css";

/** The key figures of after-sales work. A table contains each figure; the bars only illustrate it. */
export const ServiceStatistics = ({ figures }: { figures: ServiceFigures }) => (
  <div className={classes.figures}>
    <OpenWork open={figures.open} />
    <FinishedWork finished={figures.finished} />
    <StaffLoad people={figures.people} />
    <Devices devices={figures.devices} />
  </div>
);

const openStates = ["new", "in_progress", "transfer_review", "acceptance_review"] as const;

function OpenWork({ open }: Pick<ServiceFigures, "open">) {
  const t = useTexts("clinic", "workorder");
  const count = (state: string | null, age: AgeBand | null) =>
    sumCounts(open.filter((one) => (state ?? one.state) === one.state && (age ?? one.age) === one.age));
  const maximum = Math.max(1, ...openStates.map((state) => count(state, null)));
  return (
    <Section title={t("clinic.figures.open")}>
      <FigureTable
        label={t("clinic.figures.open")}
        head={[t("clinic.state"), ...ageBands.map((band) => t(`clinic.band.${band}`)), t("clinic.figures.all"), null]}
        rows={openStates.map((state) => [
          t(`workorder.state.${state}`),
          ...ageBands.map((band) => count(state, band)),
          count(state, null),
          <StackedBar
            key="bar"
            total={maximum}
            parts={ageBands.map((band) => ({ count: count(state, band), colour: ageBandColours[band] }))}
          />,
        ])}
      />
    </Section>
  );
}

function FinishedWork({ finished }: Pick<ServiceFigures, "finished">) {
  const t = useTexts("clinic", "workorder");
  const [type, setType] = useState<string | null>(null);
  const months = type ? finished.byTypeAndMonth.filter((one) => one.type === type) : finished.byMonth;
  const maximum = Math.max(1, ...months.map(({ count }) => count));
  const { all } = finished;
  return (
    <Section title={t("clinic.figures.finished")} description={t("clinic.figures.finishedSays")}>
      <dl className={classes.numbers}>
        <NumberFact title={t("clinic.figures.count")} value={all.count} />
        <NumberFact title={t("clinic.figures.median")} value={formatDuration(t, all.median)} />
        <NumberFact title={t("clinic.figures.p90")} value={formatDuration(t, all.p90)} />
        <NumberFact
          title={t("clinic.figures.reworked")}
          value={t("clinic.figures.reworks", { number: finished.reworked, times: finished.reworks })}
        />
      </dl>
      <FigureTable
        label={t("clinic.figures.byType")}
        head={[t("clinic.workType"), t("clinic.figures.count"), t("clinic.figures.median"), t("clinic.figures.p90")]}
        rows={finished.byType.map((one) => [
          t(`workorder.type.${one.type}`),
          one.count,
          formatDuration(t, one.median),
          formatDuration(t, one.p90),
        ])}
      />
      <Select
        mt="md"
        maw={260}
        label={t("clinic.workType")}
        placeholder={t("clinic.all")}
        clearable
        data={workorderTypes.map((one) => ({ value: one, label: t(`workorder.type.${one}`) }))}
        value={type}
        onChange={setType}
      />
      <FigureTable
        label={t("clinic.figures.byMonth")}
        head={[
          t("clinic.figures.month"),
          t("clinic.figures.count"),
          t("clinic.figures.median"),
          t("clinic.figures.p90"),
          null,
        ]}
        rows={months.map((one) => [
          one.month,
          one.count,
          formatDuration(t, one.median),
          formatDuration(t, one.p90),
          <StackedBar key="bar" total={maximum} parts={[{ count: one.count, colour: "brand" }]} />,
        ])}
      />
    </Section>
  );
}

function StaffLoad({ people }: Pick<ServiceFigures, "people">) {
  const t = useTexts("clinic");
  const maximum = Math.max(1, ...people.map(({ open }) => open));
  return (
    <Section title={t("clinic.figures.people")}>
      <FigureTable
        label={t("clinic.figures.people")}
        head={[
          t("clinic.assignee"),
          t("clinic.figures.openNow"),
          t("clinic.figures.oldest"),
          t("clinic.figures.count"),
          t("clinic.figures.median"),
          null,
        ]}
        rows={people.map((one) => [
          one.name,
          one.open,
          one.oldest ? formatTimeAgo(one.oldest) : "–",
          one.finished,
          formatDuration(t, one.median),
          <StackedBar key="bar" total={maximum} parts={[{ count: one.open, colour: "brand" }]} />,
        ])}
      />
    </Section>
  );
}

function Devices({ devices }: Pick<ServiceFigures, "devices">) {
  const t = useTexts("clinic", "device");
  const states = ["bound", "unbound", "locked"] as const;
  return (
    <Section title={t("clinic.figures.devices")}>
      <FigureTable
        label={t("clinic.figures.devices")}
        head={[t("clinic.product"), t("clinic.softwareVersion"), ...states.map((state) => t(`device.state.${state}`))]}
        rows={devices.map((one) => [one.product, one.softwareVersion ?? "–", ...states.map((state) => one[state])])}
      />
    </Section>
  );
}

interface FigureTableProps {
  label: string;
  /** Null: the column with the bars, which screen readers skip. */
  head: (string | null)[];
  rows: ReactNode[][];
}
function FigureTable({ label, head, rows }: FigureTableProps) {
  const t = useTexts();
  return (
    <div className={classes.scroll} tabIndex={0} role="group" aria-label={label}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {head.map((title, at) =>
              title === null ? (
                <td key={at} className={classes.drawn} aria-hidden />
              ) : (
                <th key={at} scope="col">
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 && (
            <tr>
              <td colSpan={head.length}>{t("common.state.emptyTitle")}</td>
            </tr>
          )}
          {rows.map(([first, ...rest], row) => (
            <tr key={row}>
              <th scope="row">{first}</th>
              {rest.map((cell, at) => (
                <td key={at} {...(head[at + 1] === null && { className: classes.drawn })}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const NumberFact = ({ title, value }: { title: string; value: ReactNode }) => (
  <div>
    <dt>{title}</dt>
    <dd>{value}</dd>
  </div>
);

function StackedBar({ total, parts }: { total: number; parts: { count: number; colour: string }[] }) {
  return (
    <div className={classes.bar} aria-hidden>
      {parts.map(({ count, colour }) => (
        <span
          key={colour}
          style={{ width: `${(100 * count) / total}%`, background: `var(--mantine-color-${colour}-6)` }}
        />
      ))}
    </div>
  );
}

const sumCounts = (rows: readonly { count: number }[]): number => rows.reduce((all, { count }) => all + count, 0);
