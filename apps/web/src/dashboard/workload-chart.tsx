import { dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import type { WorkloadOverTime } from "@arcada/contract/dashboard/trends.schema";
import type { SearchParams } from "../browser/navigation.tsx";
import { useCall } from "../data/use-call.ts";
import { formatNumber } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { ChartSection } from "./charts/chart-section.tsx";
import type { Series, SeriesRole } from "./charts/chart-series.ts";
import { toChartColumns } from "./figure-text.ts";
import type { Period } from "./period.ts";

/** The colours of the people with the most work; the others share one bar, and each has a column of the table. */
const personRoles = ["main", "teal", "warm", "violet", "second"] as const satisfies readonly SeriesRole[];

/** The open orders of each technician at the end of each week or month. */
export function WorkloadChart({ period, orders }: { period: Period; orders: SearchParams }) {
  const t = useTexts("dashboard");
  const query = useCall(dashboardCalls.workload, period, { keepPrevious: true });
  return (
    <QueryResult of={query}>
      {({ unit, buckets, people }) => {
        const openAt = (place: number): SearchParams => ({ ...orders, openOn: buckets[place]!.to });
        const name = (person: Person) => (person.id === null ? t("dashboard.people.nobody") : person.name);
        const drawn = people.filter(({ id }) => id !== null).slice(0, personRoles.length);
        const others = people.filter((one) => !drawn.includes(one));
        const bars = drawn.map((person, place) => toSeries(person, name(person), personRoles[place]!, openAt));
        const rest = { id: null, name: "", open: addUp(others, buckets.length) };
        const isNobodyAlone = others.length === 1 && others[0]!.id === null;
        const restName = t(isNobodyAlone ? "dashboard.people.nobody" : "dashboard.load.others");
        return (
          <ChartSection
            title={t("dashboard.load.title")}
            description={t("dashboard.load.says", { unit: t(`dashboard.unit.${unit}`).toLocaleLowerCase() })}
            columns={toChartColumns(buckets, unit, ({ to }) => ({ ...orders, openOn: to }))}
            columnTitle={t(`dashboard.unit.${unit}`)}
            series={others.length === 0 ? bars : [...bars, toSeries(rest, restName, "gray", openAt)]}
            tableOnly={isNobodyAlone ? [] : others.map((person) => toSeries(person, name(person), "gray", openAt))}
            formatAxis={(count) => formatNumber(count)}
            isWhole
            empty={t("dashboard.people.none")}
          />
        );
      }}
    </QueryResult>
  );
}

type Person = WorkloadOverTime["people"][number];

const addUp = (people: readonly Person[], columns: number): number[] =>
  Array.from({ length: columns }, (_, place) => people.reduce((sum, { open }) => sum + (open[place] ?? 0), 0));

/** The list finds orders by their person in charge; it has no filter for those without one. */
const toSeries = (
  { id, open }: Person,
  name: string,
  role: SeriesRole,
  openAt: (place: number) => SearchParams,
): Series => ({
  key: id ?? `${role} ${name}`,
  name,
  kind: "bar",
  role,
  values: open,
  format: String,
  ...(id !== null && { link: (place: number) => ({ ...openAt(place), personId: id }) }),
});
