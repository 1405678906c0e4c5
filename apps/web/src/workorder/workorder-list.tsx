import { Badge, Checkbox, Group, Indicator, Stack, Tabs, Text } from "@mantine/core";
import type { WorkorderRow } from "@arcada/contract/workorder/workorder.schema";
import { workorderStates } from "@arcada/contract/workorder/workorder.lifecycle";
import { workorderSorts } from "@arcada/contract/workorder/workorder.rules";
import type { WorkorderSort } from "@arcada/contract/workorder/workorder.rules";
import type { WorkorderState } from "@arcada/contract/workorder/workorder.lifecycle";
import type { ScreenName } from "@arcada/contract/screens";
import type { Input } from "@arcada/contract/kernel/call";
import { formatDateTime, formatTimeAgo } from "../i18n/format.ts";
import { ScreenLink, useOpenScreen, useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import type { SearchParams } from "../browser/navigation.tsx";
import { useSignedInUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { LoadMore } from "../ui/load-more.tsx";
import { SearchBox } from "../ui/form/search-box.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { stateColours, getStateText, getTurnText } from "./workorder-text.ts";
import classes from "./workorder.module.css";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { ask, send } from "../data/ask.ts";
import { ExportButton } from "../ui/export-button.tsx";
import { getCurrentZone } from "../i18n/time-zone.ts";
import { queryKeyOf } from "../data/query-client.ts";
import { usePagedList } from "../data/use-paged-list.ts";

interface RowSelection {
  chosen: ReadonlyMap<string, WorkorderRow>;
  onChoose: (row: WorkorderRow, on: boolean) => void;
}
interface Props {
  filter: WorkorderFilter;
  /** The screen that shows one. */
  screen: ScreenName;
  empty: string;
  selection?: RowSelection | undefined;
}

type WorkorderFilter = Omit<Input<typeof workorderCalls.list>, "cursor" | "pageSize">;

/** The work orders that match the filters, page after page. */
const useWorkorders = (filter: WorkorderFilter) =>
  usePagedList(queryKeyOf(workorderCalls.list, filter), (pageParam, signal) =>
    send(workorderCalls.list, { ...filter, ...pageParam }, { signal }),
  );

/** Work orders by state, with a search. The filter is stored in the address. */
export function WorkorderList({ filter, screen, empty, selection }: Props) {
  const t = useTexts("workorder");
  const params = useSearchParams();
  const { state: stateParam, search = "" } = params;
  const setSearch = useSetSearchParams();
  const state = workorderStates.find((one) => one === stateParam);
  const go = useOpenScreen();
  const me = useSignedInUser().uuid;
  const order = parseSorting(params);
  const found = useWorkorders({ ...filter, ...order, ...(state && { state }), ...(search && { search }) });
  return (
    <Stack gap="sm" pt="md">
      <StateTabs state={state ?? "all"} counts={found.data?.counts} />
      <Group px="md" gap="sm">
        <div className={classes.main}>
          <SearchBox
            value={search}
            onSearch={(text) => setSearch({ search: text || undefined })}
            label={t("workorder.list.search")}
          />
        </div>
        <ExportButton
          label={t("workorder.list.export")}
          prepare={() =>
            ask(workorderCalls.export, {
              ...filter,
              ...order,
              ...(state && { state }),
              ...(search && { search }),
              timeZone: getCurrentZone(),
            })
          }
        />
      </Group>
      <QueryResult of={found} isEmpty={({ list }) => list.length === 0} empty={<EmptyState title={empty} />}>
        {({ list, total }) => (
          <>
            <DataTable
              label={t("workorder.list.title")}
              columns={buildColumns(t, { me, screen, selection })}
              rows={list}
              rowKey={({ id }) => id}
              onOpen={({ id }) => go(screen, { id })}
              sort={{ by: order.sort, down: order.way === "down" }}
              onSort={(by) => setSearch(toSortSearch(by, order))}
            />
            <LoadMore query={found} summary={t("common.total", { count: total })} label={t("workorder.list.more")} />
          </>
        )}
      </QueryResult>
    </Stack>
  );
}

interface StateTabsProps {
  state: WorkorderState | "all";
  counts: Record<WorkorderState, number> | undefined;
}
function StateTabs({ state, counts }: StateTabsProps) {
  const t = useTexts("workorder");
  const setSearch = useSetSearchParams();
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <div className={classes.tabs}>
      <Tabs
        value={state}
        onChange={(value) => setSearch({ state: value === "all" ? undefined : (value ?? undefined) })}
      >
        <Tabs.List>
          {(["all", ...workorderStates] as const).map((one) => (
            <Tabs.Tab
              key={one}
              value={one}
              rightSection={
                <Badge size="sm" variant="light" color="gray" circle>
                  {one === "all" ? all : counts?.[one]}
                </Badge>
              }
            >
              {t(`workorder.state.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
    </div>
  );
}

const defaultWays = { created: "down", planned: "up" } as const satisfies Record<WorkorderSort, "up" | "down">;
interface Sorting {
  sort: WorkorderSort;
  way: "up" | "down";
}
function parseSorting({ sort: given, way }: SearchParams): Sorting {
  const sort = workorderSorts.find((one) => one === given) ?? "created";
  return { sort, way: way === "up" || way === "down" ? way : defaultWays[sort] };
}
/** The search parameters after a press on a column's title; the default needs none. */
function toSortSearch(by: string, { sort, way }: Sorting): SearchParams {
  const next = workorderSorts.find((one) => one === by) ?? "created";
  const nextWay = next !== sort ? defaultWays[next] : way === "up" ? "down" : "up";
  return {
    sort: next === "created" ? undefined : next,
    way: nextWay === defaultWays[next] ? undefined : nextWay,
  };
}

interface ColumnOptions {
  me: string;
  screen: ScreenName;
  selection: RowSelection | undefined;
}
function buildColumns(t: Translate, { me, screen, selection }: ColumnOptions): Column<WorkorderRow>[] {
  return [
    ...(selection ? [selectionColumn(t, selection)] : []),
    {
      key: "number",
      title: t("workorder.field.number"),
      sort: "created",
      narrow: "head",
      opens: "link",
      show: (row) => (
        <ScreenLink screen={screen} search={{ id: row.id }} className={classes.open!}>
          <Indicator disabled={!row.unread} size={8} position="middle-start" offset={-2} color="red">
            <Text fw={row.unread ? 700 : 500} size="sm" pl={row.unread ? 10 : 0} className={classes.number!}>
              {row.number}
            </Text>
          </Indicator>
          {row.unread && (
            <Text span size="xs" c="dimmed">
              {t("workorder.list.unread")}
            </Text>
          )}
        </ScreenLink>
      ),
    },
    {
      key: "clinic",
      title: t("workorder.field.clinic"),
      show: (row) => (
        <>
          {row.clinic.name}
          <Text size="xs" c="dimmed">
            {t(`workorder.type.${row.type}`)}
          </Text>
        </>
      ),
    },
    {
      key: "device",
      title: t("workorder.field.device"),
      show: ({ device }) => (
        <>
          {device.product} {device.model}
          <Text size="xs" c="dimmed">
            {device.serialNumber}
          </Text>
        </>
      ),
    },
    {
      key: "planned",
      title: t("workorder.plan.short"),
      sort: "planned",
      narrow: "none",
      show: ({ plannedAt }) => <span className="arcada-figures">{plannedAt ? formatDateTime(plannedAt) : "–"}</span>,
    },
    {
      key: "created",
      title: t("workorder.field.createdAt"),
      narrow: "none",
      show: ({ createdAt }) => <span title={formatDateTime(createdAt)}>{formatTimeAgo(createdAt)}</span>,
    },
    {
      key: "state",
      title: t("workorder.field.state"),
      narrow: "head",
      show: (row) => (
        <>
          <Badge variant="light" color={stateColours[row.state]}>
            {getStateText(t, row)}
          </Badge>
          <Text size="xs" c="dimmed">
            {getTurnText(t, row, me)}
          </Text>
        </>
      ),
    },
  ];
}

const selectionColumn = (t: Translate, { chosen, onChoose }: RowSelection): Column<WorkorderRow> => ({
  key: "choose",
  title: "",
  width: 40,
  narrow: "head",
  show: (row) => (
    <Checkbox
      aria-label={t("workorder.list.choose", { number: row.number })}
      checked={chosen.has(row.id)}
      disabled={row.state !== "new"}
      onChange={(event) => onChoose(row, event.currentTarget.checked)}
    />
  ),
});
