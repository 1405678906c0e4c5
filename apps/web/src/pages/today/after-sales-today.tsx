import { Badge } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Output } from "@arcada/contract/kernel/call";
import { addDays } from "@arcada/contract/kernel/time-zone";
import type { WorkorderState } from "@arcada/contract/workorder/workorder.lifecycle";
import type { WorkorderRow } from "@arcada/contract/workorder/workorder.schema";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { useCall } from "../../data/use-call.ts";
import { useNow } from "../../browser/use-now.ts";
import { formatDateTime, formatTimeAgo } from "../../i18n/format.ts";
import { getToday, parseWallTime, toWallTime } from "../../i18n/time-zone.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useRole } from "../../session/current-user.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { NothingWaits, TodayColumns, TodayLayout } from "./today-layout.tsx";
import { AllLink, TodayRowLink, TodaySection } from "./today-section.tsx";

const rows = 8;
/** The states that wait for a role, the most urgent first: others wait for the decisions of a manager. */
const groupsOf = {
  manager: [
    ["transfer_review", "transfer"],
    ["acceptance_review", "review"],
    ["new", "new"],
  ],
  technician: [
    ["in_progress", "progress"],
    ["new", "new"],
  ],
} as const satisfies Record<string, readonly (readonly [WorkorderState, string])[]>;

/** The day of after-sales: the work orders that wait for this person. */
export function AfterSalesToday() {
  const groups = groupsOf[useRole() === "afterSalesAdmin" ? "manager" : "technician"];
  const { data } = useCall(workorderCalls.list, { state: groups[0][0], pageSize: rows });
  const planned = useCall(workorderCalls.planned, { before: startOfDayIn(2) });
  // An order with an appointment stands there, and not a second time in its state.
  const plannedIds = new Set(planned.data?.list.map(({ id }) => id));
  const isCalm = data && planned.data?.total === 0 && groups.every(([state]) => (data.counts[state] ?? 0) === 0);
  return (
    <TodayLayout>
      <TodayColumns>
        {isCalm && <NothingWaits />}
        <Appointments planned={planned} />
        {groups.map(([state, name]) => (
          <WorkorderGroup key={state} state={state} name={name} planned={plannedIds} />
        ))}
      </TodayColumns>
    </TodayLayout>
  );
}

/** The begin of a later day in the reader's time zone; it changes once a day, so the call is not repeated. */
const startOfDayIn = (days: number): string => parseWallTime(addDays(getToday(), days));

/**
 * The appointments of today, and before them those that have passed without the work being handed in; then those of
 * tomorrow.
 */
function Appointments({ planned }: { planned: UseQueryResult<Output<typeof workorderCalls.planned>> }) {
  const t = useTexts("today", "workorder");
  const now = useNow();
  const tomorrow = addDays(getToday(now), 1);
  return (
    <QueryResult of={planned} isEmpty={({ total }) => total === 0} empty={null}>
      {({ list, total }) => {
        const later = list.filter(({ plannedAt }) => dayOf(plannedAt) >= tomorrow);
        const due = list.filter((row) => !later.includes(row));
        return (
          <>
            {due.length > 0 && (
              <TodaySection title={t("today.workorder.planned")} count={total - later.length}>
                {due.map((row) => (
                  <AppointmentLink key={row.id} row={row} isOverdue={dayOf(row.plannedAt) < getToday(now)} />
                ))}
              </TodaySection>
            )}
            {later.length > 0 && (
              <TodaySection title={t("today.workorder.tomorrow")} count={later.length}>
                {later.map((row) => (
                  <AppointmentLink key={row.id} row={row} isOverdue={false} />
                ))}
              </TodaySection>
            )}
          </>
        );
      }}
    </QueryResult>
  );
}

const dayOf = (plannedAt: string | null): string => toWallTime(plannedAt ?? "").slice(0, 10);

function AppointmentLink({ row, isOverdue }: { row: WorkorderRow; isOverdue: boolean }) {
  const t = useTexts("today", "workorder");
  const at = row.plannedAt ?? "";
  return (
    <TodayRowLink
      screen="workorderDetail"
      search={{ id: row.id }}
      title={`${t(`workorder.type.${row.type}`)} · ${row.clinic.name}`}
      text={[
        isOverdue ? formatDateTime(at) : toWallTime(at).slice(11),
        row.number,
        `${row.device.product} ${row.device.model}`,
        ...(row.assignee ? [row.assignee.name] : []),
      ].join(" · ")}
      badge={
        isOverdue && (
          <Badge variant="light" color="red" tt="none">
            {t("today.workorder.overdue")}
          </Badge>
        )
      }
    />
  );
}

type GroupName = (typeof groupsOf)[keyof typeof groupsOf][number][1];
interface GroupProps {
  state: WorkorderState;
  name: GroupName;
  /** The orders that are listed by their appointment. */
  planned: ReadonlySet<string>;
}
function WorkorderGroup({ state, name, planned }: GroupProps) {
  const t = useTexts("today", "workorder");
  const found = useCall(workorderCalls.list, { state, pageSize: rows });
  const isPlanned = ({ id }: { id: string }) => planned.has(id);
  const title = t(`today.workorder.${name}`);
  return (
    <QueryResult of={found} isEmpty={({ list, total }) => total === list.length && list.every(isPlanned)} empty={null}>
      {({ list, total }) => (
        <TodaySection
          title={title}
          count={total - list.filter(isPlanned).length}
          actions={
            total > list.length && <AllLink screen="myWorkOrder" search={{ state }} title={title} count={total} />
          }
        >
          {list
            .filter((row) => !isPlanned(row))
            .map((row) => (
              <TodayRowLink
                key={row.id}
                screen="workorderDetail"
                search={{ id: row.id }}
                title={`${t(`workorder.type.${row.type}`)} · ${row.clinic.name}`}
                text={[
                  row.number,
                  `${row.device.product} ${row.device.model}`,
                  formatTimeAgo(row.createdAt),
                  ...(row.assignee ? [row.assignee.name] : []),
                ].join(" · ")}
              />
            ))}
        </TodaySection>
      )}
    </QueryResult>
  );
}
