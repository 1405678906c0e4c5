import { waitingAgeBands, orderDurations } from "@arcada/contract/dashboard/dashboard.calls";
import { dashboardRules } from "@arcada/contract/dashboard/trend-buckets";
import type { DayRange } from "@arcada/contract/dashboard/trend-buckets";
import { remakeReasons } from "@arcada/contract/dashboard/trends.schema";
import type { TrendFigures, WorkloadOverTime } from "@arcada/contract/dashboard/trends.schema";
import type { MemberContext } from "../platform/http/request-context.ts";
import { storeSpreadsheet } from "../data-export/stored-spreadsheet.writes.ts";
import type { Cell } from "../platform/spreadsheet/spreadsheet.ts";
import { translatorOf } from "../platform/text/texts.ts";
import type { TranslateIn } from "../platform/text/texts.ts";
import { loadFigures, loadOpenOrders, toDashboardSubject, toPeriod } from "./load-dashboard-figures.ts";
import type { PeriodFigures, OpenOrders } from "./load-dashboard-figures.ts";
import { loadWorkloadOverTime } from "./load-workload.ts";
import { loadTrends } from "./load-trends.ts";
import type { Trends } from "./load-trends.ts";
import type { DurationStats } from "./dashboard.store.ts";

type Translate = TranslateIn<"dashboard">;

/** Exports all figures in one sheet: the name, the count, and the durations, due dates and remakes if they were measured. */
export async function exportDashboard(
  { db, principal, language, now }: MemberContext,
  days: DayRange,
): Promise<{ url: string }> {
  const t = translatorOf(language, "dashboard");
  const translateOrder = translatorOf(language, "order");
  const period = toPeriod(principal, days);
  const subject = toDashboardSubject(principal);
  const open = await loadOpenOrders(db, subject, principal.timeZone);
  const trends = await loadTrends(db, subject, period, now);
  const workload = subject.side === "receiver" ? await loadWorkloadOverTime(db, subject, period) : null;
  const figures = await loadFigures(db, subject, period);
  const rows = [
    ...buildTrendRows(trends, t),
    ...(workload ? buildWorkloadRows(workload, t) : []),
    ...buildPeriodRows(figures, t, subject.side),
    ...buildOpenRows(open, t, translateOrder),
  ];
  const sheet = {
    name: t("title"),
    columns: exportColumns.map((key) => ({
      title: t(`export.${key}`),
      width: key === "section" || key === "what" ? 34 : 18,
    })),
    rows: (async function* () {
      yield [[`${period.from} – ${period.to}`], ...rows];
    })(),
  };
  const name = `arcada-figures-${period.from}-${period.to}.xlsx`;
  return storeSpreadsheet({ db, principal, language }, sheet, {
    kind: "orders",
    name,
    minutes: dashboardRules.exportMinutes,
  });
}

const exportColumns = [
  "section",
  "what",
  "count",
  "median",
  "late",
  "dated",
  "overdue",
  "remakes",
  "gigabytes",
] as const;

/** The totals of both periods, then each week or month of the later one, then each person. */
function buildTrendRows({ now, before, people, unit }: Trends, t: Translate): Cell[][] {
  const days = ({ from, to }: DayRange) => `${from} – ${to}`;
  const cells = ({ completed, median, p90, dated, late }: Omit<TrendFigures, "remakes">): Cell[] => [
    completed,
    toHours(median),
    toHours(p90),
    dated,
    late,
  ];
  return [
    [t("compare.now"), days(now), ...cells(now.total), now.total.remakes],
    [t("compare.before"), days(before), ...cells(before.total), before.total.remakes],
    ...now.buckets.map((bucket): Cell[] => [
      t(`unit.${unit}`),
      days(bucket),
      ...cells(bucket),
      bucket.remakes,
      ...(bucket.stored === null ? [] : [Math.round(bucket.stored / 1e6) / 1000]),
    ]),
    ...now.buckets.flatMap((bucket) =>
      remakeReasons
        .filter((reason) => (bucket.reasons[reason] ?? 0) > 0)
        .map((reason): Cell[] => [
          t("again.causes"),
          `${days(bucket)}, ${t(`cause.${reason}`)}`,
          null,
          null,
          null,
          null,
          null,
          bucket.reasons[reason] ?? 0,
        ]),
    ),
    ...people.flatMap((one): Cell[][] => {
      const name = one.name || t("people.nobody");
      return [
        [t("people.openNow"), name, one.open, null, null, null, one.overdue],
        [t("people.completed"), name, ...cells(one)],
      ];
    }),
  ];
}

const buildWorkloadRows = ({ buckets, people }: WorkloadOverTime, t: Translate): Cell[][] =>
  people.flatMap(({ name, open }) =>
    buckets.map(({ from, to }, place): Cell[] => [
      t("load.title"),
      `${name || t("people.nobody")}, ${from} – ${to}`,
      open[place] ?? 0,
    ]),
  );

const buildOpenRows = ({ rows }: OpenOrders, t: Translate, translateOrder: TranslateIn<"order">): Cell[][] =>
  rows.flatMap(({ state, ages: counts, mine }) => [
    ...counts.map((n, place): Cell[] => [
      t("open.title"),
      `${translateOrder(`state.${state}`)}, ${t(`age.${waitingAgeBands[place]!.name}`)}`,
      n,
    ]),
    [t("open.title"), `${translateOrder(`state.${state}`)}, ${t("open.mine")}`, mine],
  ]);

type RepeatCause = PeriodFigures["causes"][number];

function buildPeriodRows(figures: PeriodFigures, t: Translate, side: "sender" | "receiver"): Cell[][] {
  const timed = (section: string, what: string, { count, median, late }: DurationStats): Cell[] => [
    section,
    what,
    count,
    toHours(median),
    toHours(late),
  ];
  const cause = (name: RepeatCause["cause"]) => (name ? t(`cause.${name}`) : "–");
  const bears = (name: RepeatCause["bears"]) => (name ? t(`bears.${name}`) : "–");
  return [
    ...orderDurations.map((span) => timed(t("times.title"), t(`span.${span}`), figures.spans[span])),
    ...figures.partners.map((one) => timed(t(`partners.${side}`), one.name, one)),
    [t("again.title"), t("again.redeliveries"), figures.redeliveries],
    [t("again.title"), t("again.remakes"), figures.remakes],
    ...figures.causes.map((one): Cell[] => [t("again.causes"), `${cause(one.cause)}, ${bears(one.bears)}`, one.count]),
  ];
}

const toHours = (seconds: number | null): Cell => (seconds === null ? null : Math.round(seconds / 36) / 100);
