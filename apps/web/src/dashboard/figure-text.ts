import type { BucketUnit, DayRange } from "@arcada/contract/dashboard/trend-buckets";
import { languageTags } from "@arcada/contract/kernel/languages";
import { formatDay, formatNumber } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import type { SearchParams } from "../browser/navigation.tsx";
import type { ChartColumn } from "./charts/chart-series.ts";

/** Formats a duration: minutes below an hour, hours up to two days, then days. */
export function formatDuration(seconds: number | null, t: Translate): string {
  if (seconds === null) return "–";
  const hours = seconds / 3600;
  if (seconds < 30) return t("dashboard.noMinute");
  if (hours < 0.995) return t("dashboard.minutes", { value: formatNumber(seconds / 60, 0) });
  return hours < 48
    ? t("dashboard.hours", { value: formatNumber(hours, 1) })
    : t("dashboard.days", { value: formatNumber(hours / 24, 1) });
}

/** Formats a share of a whole in percent; a dash where there is no whole. */
export const formatShare = (part: number, whole: number, t: Translate): string =>
  whole === 0 ? "–" : t("dashboard.figures.share", { percent: formatNumber((part / whole) * 100, 0) });

/** Names the weeks or months of a period; `link` says which orders stand behind one. */
export const toChartColumns = (
  buckets: readonly DayRange[],
  unit: BucketUnit,
  link?: (days: DayRange) => SearchParams,
): ChartColumn[] => {
  const format = new Intl.DateTimeFormat(languageTags[currentLanguage()], {
    ...(unit === "week" ? { month: "short", day: "numeric" } : { month: "short", year: "2-digit" }),
    timeZone: "UTC",
    numberingSystem: "latn",
    calendar: "gregory",
  });
  return buckets.map(({ from, to }) => ({
    short: format.format(new Date(`${from}T00:00:00Z`)),
    long: from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`,
    link: link?.({ from, to }),
  }));
};
