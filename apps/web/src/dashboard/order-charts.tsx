import { remakeReasons } from "@arcada/contract/dashboard/trends.schema";
import type { RemakeReason, TrendBucket, TrendPeriod } from "@arcada/contract/dashboard/trends.schema";
import type { BucketUnit, DayRange } from "@arcada/contract/dashboard/trend-buckets";
import type { SearchParams } from "../browser/navigation.tsx";
import { formatBytes, formatNumber } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { ChartSection } from "./charts/chart-section.tsx";
import type { Series, SeriesRole } from "./charts/chart-series.ts";
import { formatDuration, formatShare, toChartColumns } from "./figure-text.ts";

interface Props {
  now: TrendPeriod;
  before: TrendPeriod;
  unit: BucketUnit;
  /** The part of the filter that all orders of the dashboard have in common. */
  orders: SearchParams;
}

const completedIn = (orders: SearchParams, { from, to }: DayRange): SearchParams => ({
  ...orders,
  completedFrom: from,
  completedTo: to,
});

const daySeconds = 86_400;
const toDays = (seconds: number | null | undefined): number | null => (seconds ? seconds / daySeconds : null);

/** Half and nine tenths of the orders, and half of those of the period before, week by week or month by month. */
export function TurnaroundChart({ now: { buckets }, before, unit, orders }: Props) {
  const t = useTexts("dashboard");
  const format = (days: number) => formatDuration(days * daySeconds, t);
  const link = (place: number) => completedIn(orders, buckets[place]!);
  const line = (key: "median" | "p90", kind: Series["kind"], role: SeriesRole): Series => ({
    key,
    name: t(`dashboard.turnaround.${key}`),
    kind,
    role,
    values: buckets.map((bucket) => toDays(bucket[key])),
    format,
    link,
  });
  return (
    <ChartSection
      title={t("dashboard.turnaround.title")}
      description={t("dashboard.turnaround.says", { unit: t(`dashboard.unit.${unit}`).toLocaleLowerCase() })}
      columns={toChartColumns(buckets, unit, (days) => completedIn(orders, days))}
      columnTitle={t(`dashboard.unit.${unit}`)}
      series={[
        line("median", "line", "main"),
        line("p90", "line", "warm"),
        {
          key: "before",
          name: t("dashboard.turnaround.before"),
          kind: "dashed",
          role: "before",
          values: buckets.map((_, place) => toDays(before.buckets[place]?.median)),
          format,
        },
      ]}
      tableOnly={[
        {
          key: "completed",
          name: t("dashboard.figures.completed"),
          kind: "bar",
          role: "main",
          values: buckets.map(({ completed }) => completed),
          format: String,
          link,
        },
      ]}
      formatAxis={(days) =>
        days > 0 && days < 1 ? format(days) : t("dashboard.days", { value: formatNumber(days, days % 1 === 0 ? 0 : 1) })
      }
      empty={t("dashboard.times.none")}
    />
  );
}

/** Orders with a due date that were delivered on time and late. */
export function LatenessChart({ now: { buckets }, unit, orders }: Props) {
  const t = useTexts("dashboard");
  const part = (key: "onTime" | "late", values: number[], role: SeriesRole): Series => ({
    key,
    name: t(`dashboard.late.${key}`),
    kind: "bar",
    role,
    values,
    format: String,
    link: (place) => ({ ...completedIn(orders, buckets[place]!), delivered: key }),
  });
  return (
    <ChartSection
      title={t("dashboard.late.title")}
      description={t("dashboard.late.says")}
      columns={toChartColumns(buckets, unit, (days) => completedIn(orders, days))}
      columnTitle={t(`dashboard.unit.${unit}`)}
      series={[
        part(
          "onTime",
          buckets.map(({ dated, late }) => dated - late),
          "teal",
        ),
        part(
          "late",
          buckets.map(({ late }) => late),
          "bad",
        ),
      ]}
      tableOnly={[
        {
          key: "share",
          name: t("dashboard.late.share"),
          kind: "line",
          role: "bad",
          values: buckets.map(({ late, dated }) => (dated === 0 ? null : late / dated)),
          format: (share) => formatShare(share, 1, t),
        },
      ]}
      formatAxis={(count) => formatNumber(count)}
      isWhole
      empty={t("dashboard.times.none")}
    />
  );
}

const reasonRoles: Record<RemakeReason, SeriesRole> = {
  lab: "main",
  clinic: "warm",
  material: "violet",
  patient: "second",
  unstated: "gray",
};

/** The remakes by their reason, on the day on which they were sent. */
export function RemakesChart({ now: { buckets }, unit, orders }: Props) {
  const t = useTexts("dashboard");
  const sentIn = ({ from, to }: DayRange): SearchParams => ({ ...orders, sentFrom: from, sentTo: to });
  const found = remakeReasons.filter((reason) => buckets.some((bucket) => (bucket.reasons[reason] ?? 0) > 0));
  return (
    <ChartSection
      title={t("dashboard.remakes.title")}
      description={t("dashboard.remakes.says")}
      columns={toChartColumns(buckets, unit, (days) => ({ ...sentIn(days), remake: "any" }))}
      columnTitle={t(`dashboard.unit.${unit}`)}
      series={found.map((reason) => ({
        key: reason,
        name: t(`dashboard.cause.${reason}`),
        kind: "bar",
        role: reasonRoles[reason],
        values: buckets.map(({ reasons }) => reasons[reason] ?? 0),
        format: String,
        link: (place) => ({ ...sentIn(buckets[place]!), remake: reason }),
      }))}
      formatAxis={(count) => formatNumber(count)}
      isWhole
      empty={t("dashboard.remakes.none")}
    />
  );
}

/** The stored data at the end of each week or month. Nothing for a reader who sees only their own work. */
export function StorageChart({ now, before, unit }: Omit<Props, "orders">) {
  const t = useTexts("dashboard");
  return (
    <ChartSection
      title={t("dashboard.storage.title")}
      description={t("dashboard.storage.says", { unit: t(`dashboard.unit.${unit}`).toLocaleLowerCase() })}
      columns={toChartColumns(now.buckets, unit)}
      columnTitle={t(`dashboard.unit.${unit}`)}
      series={[
        stored("stored", t("dashboard.storage.stored"), "line", now.buckets, now.buckets.length),
        stored("before", t("dashboard.compare.before"), "dashed", before.buckets, now.buckets.length),
      ]}
      formatAxis={formatBytes}
      empty={t("dashboard.storage.none")}
    />
  );
}

const stored = (
  key: string,
  name: string,
  kind: "line" | "dashed",
  buckets: readonly TrendBucket[],
  columns: number,
): Series => ({
  key,
  name,
  kind,
  role: kind === "line" ? "main" : "before",
  values: Array.from({ length: columns }, (_, place) => buckets[place]?.stored ?? null),
  format: formatBytes,
});
