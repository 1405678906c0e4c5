import { ages, dashboardRules, spans } from "@arcada/contract/dashboard/dashboard.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { keepSheet } from "../platform/spreadsheet/table-export.ts";
import type { Cell } from "../platform/spreadsheet/spreadsheet.ts";
import { textOf } from "../platform/text/texts.ts";
import { figuresOf, houseOf, openOf, periodOf } from "./dashboard.ts";
import type { Days, Figures, Open } from "./dashboard.ts";
import type { Times } from "./dashboard.store.ts";

type Say = (key: string) => string;

/** Exports all figures in one column: the name, the count, and the durations if they were measured. */
export async function exportFigures({ db, asker, language }: MemberContext, days: Days): Promise<{ url: string }> {
  const say: Say = (key) => textOf(language, "dashboard", key);
  const sayOrder: Say = (key) => textOf(language, "order", key);
  const period = periodOf(asker, days);
  const house = houseOf(asker);
  const open = await openOf(db, asker.iid, asker.timeZone);
  const figures = await figuresOf(db, house, period);
  const rows = [...openRows(open, say, sayOrder), ...periodRows(figures, say, house.side)];
  const sheet = {
    name: say("title"),
    columns: (["section", "what", "count", "median", "late"] as const).map((key) => ({
      title: say(`export.${key}`),
      width: key === "section" || key === "what" ? 34 : 18,
    })),
    rows: (async function* () {
      yield [[`${period.from} – ${period.to}`], ...rows];
    })(),
  };
  const name = `arcada-figures-${period.from}-${period.to}.xlsx`;
  return keepSheet({ db, asker, language }, sheet, { kind: "orders", name, minutes: dashboardRules.exportMinutes });
}

const openRows = ({ rows }: Open, say: Say, sayOrder: Say): Cell[][] =>
  rows.flatMap(({ state, ages: counts, mine }) => [
    ...counts.map((n, place): Cell[] => [
      say("open.title"),
      `${sayOrder(`state.${state}`)}, ${say(`age.${ages[place]!.name}`)}`,
      n,
    ]),
    [say("open.title"), `${sayOrder(`state.${state}`)}, ${say("open.mine")}`, mine],
  ]);

function periodRows(figures: Figures, say: Say, side: "sender" | "receiver"): Cell[][] {
  const timed = (section: string, what: string, { count, median, late }: Times): Cell[] => [
    section,
    what,
    count,
    hours(median),
    hours(late),
  ];
  const cause = (name: string | null) => (name ? say(`cause.${name}`) : "–");
  const bears = (name: string | null) => (name ? say(`bears.${name}`) : "–");
  return [
    ...spans.map((span) => timed(say("times.title"), say(`span.${span}`), figures.spans[span])),
    ...figures.months.map((one) => timed(say("months.title"), one.month, one)),
    ...figures.partners.map((one) => timed(say(`partners.${side}`), one.name, one)),
    [say("again.title"), say("again.redeliveries"), figures.redeliveries],
    [say("again.title"), say("again.remakes"), figures.remakes],
    ...figures.causes.map((one): Cell[] => [
      say("again.causes"),
      `${cause(one.cause)}, ${bears(one.bears)}`,
      one.count,
    ]),
    ...figures.uploads.map(({ week, files: count }): Cell[] => [say("uploads.title"), week, count]),
  ];
}

const hours = (seconds: number | null): Cell => (seconds === null ? null : Math.round(seconds / 36) / 100);
