import { Anchor, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { DataTable } from "../../ui/data-table.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { Section } from "../../ui/page.tsx";
import { EmptyState } from "../../ui/page-states.tsx";
import type { ChartColumn, Series } from "./chart-series.ts";
import { ChartLegend } from "./chart-legend.tsx";
import { TimeChart } from "./time-chart.tsx";
import classes from "./time-chart.module.css";

interface Props {
  title: string;
  description: string;
  columns: readonly ChartColumn[];
  /** The title of the table's first column. */
  columnTitle: string;
  series: readonly Series[];
  /** Further columns of the table, which the chart does not draw. */
  tableOnly?: readonly Series[];
  formatAxis: (value: number) => string;
  isWhole?: boolean;
  /** Shown instead of the chart if there is nothing to draw. */
  empty: string;
}

/** A chart with its legend. The reader may see the same figures as a table, with a link in each. */
export function ChartSection({ title, description, columns, columnTitle, series, tableOnly = [], ...chart }: Props) {
  const t = useTexts("dashboard");
  const [view, setView] = useState<"chart" | "table">("chart");
  const isEmpty = series.every(({ values }) => values.every((value) => !value));
  if (isEmpty)
    return (
      <Section title={title} description={description}>
        <EmptyState title={chart.empty} />
      </Section>
    );
  return (
    <Section title={title} description={description}>
      <div className={classes.above}>
        {view === "chart" && <ChartLegend series={series} />}
        <SegmentedControl
          size="xs"
          className={classes.view!}
          aria-label={`${title}: ${t("dashboard.chart.view")}`}
          data={(["chart", "table"] as const).map((value) => ({ value, label: t(`dashboard.chart.${value}`) }))}
          value={view}
          onChange={setView}
        />
      </div>
      {view === "chart" ? (
        <TimeChart
          label={title}
          columns={columns}
          series={series}
          formatAxis={chart.formatAxis}
          isWhole={chart.isWhole ?? false}
        />
      ) : (
        <DataTable
          label={title}
          columns={buildColumns([...series, ...tableOnly], columnTitle)}
          rows={columns.map((column, place) => ({ ...column, place }))}
          rowKey={({ long }) => long}
        />
      )}
    </Section>
  );
}

type TableRow = ChartColumn & { place: number };
const buildColumns = (series: readonly Series[], columnTitle: string): Column<TableRow>[] => [
  {
    key: "days",
    title: columnTitle,
    narrow: "head",
    show: ({ long }) => <span className="arcada-figures">{long}</span>,
  },
  ...series.map(({ key, name, values, format, link }): Column<TableRow> => ({
    key,
    title: name,
    align: "end",
    show: ({ place }) => {
      const value = values[place];
      if (value === null || value === undefined) return "–";
      return <LinkedFigure text={format(value)} search={value > 0 ? link?.(place) : undefined} />;
    },
  })),
];

/** A figure that opens its orders; plain text if there are none. */
export function LinkedFigure({
  text,
  search,
}: {
  text: string;
  search: Record<string, string | undefined> | undefined;
}) {
  if (!search) return <span className="arcada-figures">{text}</span>;
  return (
    <Anchor component={ScreenLink} screen="orderList" search={search} size="sm" className="arcada-figures">
      {text}
    </Anchor>
  );
}
