import type { WorkorderState } from "@arcada/contract/workorder/workorder.lifecycle";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { useCall } from "../../data/use-call.ts";
import { formatTimeAgo } from "../../i18n/format.ts";
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
  const isCalm = data && groups.every(([state]) => (data.counts[state] ?? 0) === 0);
  return (
    <TodayLayout>
      <TodayColumns>
        {isCalm && <NothingWaits />}
        {groups.map(([state, name]) => (
          <WorkorderGroup key={state} state={state} name={name} />
        ))}
      </TodayColumns>
    </TodayLayout>
  );
}

type GroupName = (typeof groupsOf)[keyof typeof groupsOf][number][1];
function WorkorderGroup({ state, name }: { state: WorkorderState; name: GroupName }) {
  const t = useTexts("today", "workorder");
  const found = useCall(workorderCalls.list, { state, pageSize: rows });
  const title = t(`today.workorder.${name}`);
  return (
    <QueryResult of={found} isEmpty={({ total }) => total === 0} empty={null}>
      {({ list, total }) => (
        <TodaySection
          title={title}
          count={total}
          actions={
            total > list.length && <AllLink screen="myWorkOrder" search={{ state }} title={title} count={total} />
          }
        >
          {list.map((row) => (
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
