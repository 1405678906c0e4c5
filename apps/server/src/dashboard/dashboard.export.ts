import { waitingAgeBands, dashboardRules, orderDurations } from "@arcada/contract/dashboard/dashboard.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { storeSpreadsheet } from "../data-export/stored-spreadsheet.writes.ts";
import type { Cell } from "../platform/spreadsheet/spreadsheet.ts";
import { translatorOf } from "../platform/text/texts.ts";
import type { TranslateIn } from "../platform/text/texts.ts";
import { loadFigures, toDashboardInstitution, loadOpenOrders, toPeriod } from "./load-dashboard-figures.ts";
import type { DayRange, PeriodFigures, OpenOrders } from "./load-dashboard-figures.ts";
import type { DurationStats } from "./dashboard.store.ts";

type Translate = TranslateIn<"dashboard">;

/** Exports all figures in one column: the name, the count, and the durations if they were measured. */
export async function exportDashboard(
  { db, principal, language }: MemberContext,
  days: DayRange,
): Promise<{ url: string }> {
  const t = translatorOf(language, "dashboard");
  const translateOrder = translatorOf(language, "order");
  const period = toPeriod(principal, days);
  const institution = toDashboardInstitution(principal);
  const open = await loadOpenOrders(db, principal.iid, principal.timeZone);
  const figures = await loadFigures(db, institution, period);
  const rows = [...buildOpenRows(open, t, translateOrder), ...buildPeriodRows(figures, t, institution.side)];
  const sheet = {
    name: t("title"),
    columns: (["section", "what", "count", "median", "late"] as const).map((key) => ({
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
    ...figures.months.map((one) => timed(t("months.title"), one.month, one)),
    ...figures.partners.map((one) => timed(t(`partners.${side}`), one.name, one)),
    [t("again.title"), t("again.redeliveries"), figures.redeliveries],
    [t("again.title"), t("again.remakes"), figures.remakes],
    ...figures.causes.map((one): Cell[] => [t("again.causes"), `${cause(one.cause)}, ${bears(one.bears)}`, one.count]),
    ...figures.uploads.map(({ week, files: count }): Cell[] => [t("uploads.title"), week, count]),
  ];
}

const toHours = (seconds: number | null): Cell => (seconds === null ? null : Math.round(seconds / 36) / 100);
