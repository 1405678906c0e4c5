import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import type { GrowthPeriod } from "@arcada/contract/operator/operator.calls";
import { formatBytes, formatNumber } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { ChartSection } from "./charts/chart-section.tsx";
import type { Series, SeriesRole } from "./charts/chart-series.ts";
import classes from "./dashboard.module.css";
import { toChartColumns } from "./figure-text.ts";
import type { Period } from "./period.ts";

type Figure = "clinics" | "labs" | "people" | "stored";

/** The growth of the platform: organisations, people at work and stored data. An operator sees no order. */
export function PlatformGrowth({ period }: { period: Period }) {
  const t = useTexts("dashboard");
  const query = useCall(operatorCalls.growth, period, { keepPrevious: true });
  return (
    <QueryResult of={query}>
      {({ unit, now, before }) => {
        const unitName = t(`dashboard.unit.${unit}`);
        const common = {
          columns: toChartColumns(now.buckets, unit),
          columnTitle: unitName,
          empty: t("dashboard.storage.none"),
        };
        const lower = { unit: unitName.toLocaleLowerCase() };
        const active = toSeries(now, "people", t("dashboard.platform.active"), "bar", "main");
        return (
          <div className={classes.charts} aria-busy={query.isPlaceholderData}>
            <ChartSection
              {...common}
              title={t("dashboard.platform.organisations")}
              description={t("dashboard.platform.organisationsSay", lower)}
              series={[
                toSeries(now, "clinics", t("dashboard.platform.clinics"), "bar", "main"),
                toSeries(now, "labs", t("dashboard.platform.labs"), "bar", "teal"),
              ]}
              formatAxis={(count) => formatNumber(count)}
              isWhole
            />
            <ChartSection
              {...common}
              title={t("dashboard.platform.active")}
              description={t("dashboard.platform.activeSay", lower)}
              series={[active, toBefore(before, now, "people", t("dashboard.compare.before"))]}
              formatAxis={(count) => formatNumber(count)}
              isWhole
            />
            <ChartSection
              {...common}
              title={t("dashboard.platform.storage")}
              description={t("dashboard.storage.says", lower)}
              series={[
                toSeries(now, "stored", t("dashboard.storage.stored"), "line", "main"),
                toBefore(before, now, "stored", t("dashboard.compare.before")),
              ]}
              formatAxis={formatBytes}
            />
          </div>
        );
      }}
    </QueryResult>
  );
}

const formatOf = (figure: Figure) => (figure === "stored" ? formatBytes : String);

const toSeries = (
  { buckets }: GrowthPeriod,
  figure: Figure,
  name: string,
  kind: "bar" | "line",
  role: SeriesRole,
): Series => ({
  key: figure,
  name,
  kind,
  role,
  values: buckets.map((bucket) => bucket[figure]),
  format: formatOf(figure),
});

/** The period before, drawn under the same columns. */
const toBefore = (before: GrowthPeriod, now: GrowthPeriod, figure: Figure, name: string): Series => ({
  key: "before",
  name,
  kind: "dashed",
  role: "before",
  values: now.buckets.map((_, place) => before.buckets[place]?.[figure] ?? null),
  format: formatOf(figure),
});
