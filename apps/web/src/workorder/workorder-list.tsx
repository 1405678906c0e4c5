import { Badge, Checkbox, Group, Indicator, Stack, Tabs, Text } from "@mantine/core";
import type { WorkorderRow } from "@arcada/contract/workorder/workorder.schema";
import { workorderStates } from "@arcada/contract/workorder/workorder.lifecycle";
import type { WorkorderState } from "@arcada/contract/workorder/workorder.lifecycle";
import type { ScreenName } from "@arcada/contract/screens";
import type { Input } from "@arcada/contract/kernel/call";
import { formatTimeAgo } from "../i18n/format.ts";
import { ScreenLink, useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { useSignedInUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { LoadMore } from "../ui/load-more.tsx";
import { SearchBox } from "../ui/form/search-box.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { stateColours, getStateText, getTurnText } from "./workorder-text.ts";
import classes from "./workorder.module.css";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { send } from "../data/ask.ts";
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
  const { state: stateParam, search = "" } = useSearchParams();
  const setSearch = useSetSearchParams();
  const state = workorderStates.find((one) => one === stateParam);
  const found = useWorkorders({ ...filter, ...(state && { state }), ...(search && { search }) });
  return (
    <Stack gap="sm" pt="md">
      <StateTabs state={state ?? "all"} counts={found.data?.counts} />
      <Group px="md">
        <div className={classes.main}>
          <SearchBox
            value={search}
            onSearch={(text) => setSearch({ search: text || undefined })}
            label={t("workorder.list.search")}
          />
        </div>
      </Group>
      <QueryResult of={found} isEmpty={({ list }) => list.length === 0} empty={<EmptyState title={empty} />}>
        {({ list, total }) => (
          <>
            <ul className={classes.list}>
              {list.map((row) => (
                <WorkorderRowItem key={row.id} row={row} screen={screen} selection={selection} />
              ))}
            </ul>
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

function WorkorderRowItem({
  row,
  screen,
  selection,
}: {
  row: WorkorderRow;
  screen: ScreenName;
  selection: RowSelection | undefined;
}) {
  const t = useTexts("workorder");
  const me = useSignedInUser().uuid;
  const turn = getTurnText(t, row, me);
  return (
    <li className={classes.row}>
      {selection && (
        <Checkbox
          aria-label={t("workorder.list.choose", { number: row.number })}
          checked={selection.chosen.has(row.id)}
          disabled={row.state !== "new"}
          onChange={(event) => selection.onChoose(row, event.currentTarget.checked)}
        />
      )}
      <ScreenLink screen={screen} search={{ id: row.id }} className={`${classes.open} ${classes.main}`}>
        <Group justify="space-between" gap={4}>
          <Group gap="xs" wrap="nowrap">
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
          </Group>
          <Badge variant="light" color={stateColours[row.state]}>
            {getStateText(t, row)}
          </Badge>
        </Group>
        <Text size="sm" className={classes.line}>
          {t(`workorder.type.${row.type}`)} · {row.clinic.name}
        </Text>
        <Text size="xs" c="dimmed" className={classes.line}>
          {row.device.product} {row.device.model} · {row.device.serialNumber}
        </Text>
        <Text size="xs" c="dimmed" className={classes.line}>
          {[formatTimeAgo(row.createdAt), turn].filter(Boolean).join(" · ")}
        </Text>
      </ScreenLink>
    </li>
  );
}
