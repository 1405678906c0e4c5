import { Anchor, Text } from "@mantine/core";
import { waitingAgeBands, dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import type { OpenOrdersRow } from "@arcada/contract/dashboard/dashboard.calls";
import { addDays } from "@arcada/contract/kernel/time-zone";
import { ScreenLink } from "../browser/navigation.tsx";
import type { SearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { FigureBar } from "./figure-bar.tsx";
import classes from "./dashboard.module.css";

/** Open orders by state and by age. Each figure opens its orders. */
export function OpenOrders() {
  const t = useTexts("dashboard", "order");
  const query = useCall(dashboardCalls.open, {});
  return (
    <Section title={t("dashboard.open.title")} description={t("dashboard.open.says")} flush>
      <QueryResult
        of={query}
        isEmpty={({ rows }) => rows.every(({ all }) => all === 0)}
        empty={<EmptyState title={t("dashboard.open.none")} />}
      >
        {({ today, rows }) => {
          const shown = rows.filter(({ all }) => all > 0);
          const maximum = Math.max(...shown.map(({ all }) => all));
          return (
            <DataTable
              label={t("dashboard.open.title")}
              columns={buildColumns(t, today, maximum)}
              rows={shown}
              rowKey={({ state }) => state}
            />
          );
        }}
      </QueryResult>
    </Section>
  );
}

const buildColumns = (t: Translate, today: string, maximum: number): Column<OpenOrdersRow>[] => [
  {
    key: "state",
    title: t("dashboard.open.state"),
    narrow: "head",
    show: ({ state }) => (
      <Text size="sm" fw={600}>
        {t(`order.state.${state}`)}
      </Text>
    ),
  },
  ...waitingAgeBands.map(({ name, min: least, max: maxDays }, index): Column<OpenOrdersRow> => ({
    key: name,
    title: t(`dashboard.age.${name}`),
    align: "end",
    show: ({ state, ages: counts }) => (
      <CountLink
        n={counts[index]!}
        isOld={maxDays === null}
        search={{
          state,
          createdTo: addDays(today, -least),
          createdFrom: maxDays === null ? undefined : addDays(today, -maxDays),
        }}
      />
    ),
  })),
  {
    key: "mine",
    title: t("dashboard.open.mine"),
    align: "end",
    show: ({ state, mine }) => <CountLink n={mine} search={{ state, turn: "mine" }} />,
  },
  {
    key: "all",
    title: t("dashboard.open.all"),
    align: "end",
    show: ({ state, all }) => <CountLink n={all} search={{ state }} />,
  },
  { key: "bar", title: "", width: 140, narrow: "none", show: ({ all }) => <FigureBar value={all} maximum={maximum} /> },
];

function CountLink({ n, search, isOld = false }: { n: number; search: SearchParams; isOld?: boolean }) {
  if (n === 0) return <span className={classes.count}>0</span>;
  return (
    <Anchor
      component={ScreenLink}
      screen="orderList"
      search={search}
      size="sm"
      className={isOld ? `${classes.count} ${classes.old}` : classes.count}
    >
      {n}
    </Anchor>
  );
}
