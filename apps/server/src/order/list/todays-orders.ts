import { sql } from "kysely";
import type { Output, Parsed } from "@arcada/contract/kernel/call";
import { labRoles, roles } from "@arcada/contract/kernel/roles";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import {
  groupFilter,
  groupsOfView,
  lastDayOfWeek,
  todayRules,
  workStates,
} from "@arcada/contract/order/order-today.calls";
import type {
  BoardStage,
  OrderGroup,
  PersonLoad,
  TodayRow,
  orderTodayCalls,
} from "@arcada/contract/order/order-today.calls";
import { findReceivedTask } from "@arcada/contract/order/order-tasks";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import type { Db } from "../../platform/database/database.ts";
import type { MemberContext } from "../../platform/http/request-context.ts";
import type { NamedOrder } from "../core/order.read.ts";
import { rowView } from "../core/order.view.ts";
import { emptyActionInput } from "../transition/apply-transition.ts";
import { decideTransition, openActions, sideOf } from "../transition/guards.ts";
import type { OrderPrincipal } from "../transition/guards.ts";
import { rankOf } from "./list-filter.ts";
import { listOrders } from "./list-pages.ts";
import type { Column } from "../../tables/row.ts";

type Today = Output<typeof orderTodayCalls.today>;

/**
 * Returns the groups of a view. Each is a page of the order list with the filter of the group, so a counter and the list
 * behind it cannot differ.
 */
export async function readTodaysOrders(
  { db, principal, now }: MemberContext,
  { view, personId }: Parsed<typeof orderTodayCalls.today>,
): Promise<Today> {
  const day = localDayIn(principal.timeZone, now);
  const isLab = roles[principal.role].side === "lab";
  const groups: readonly OrderGroup[] = groupsOfView[view === "board" ? "board" : isLab ? "lab" : "clinic"];
  const pageSize = view === "board" ? todayRules.rowsOfColumn : todayRules.rowsOfGroup;
  const readGroup = async (group: OrderGroup): Promise<Today["groups"][number]> => {
    const query = { ...groupFilter(group, day, personId), sort: "due", page: 1, pageSize } as const;
    const { list, total } = await listOrders(db, principal, query);
    return { group, total, list: list.map((order) => todayRowView(order, principal, now)) };
  };
  const [load, ...read] = await Promise.all([
    isLab ? readLoad(db, principal.iid, day) : Promise.resolve([]),
    ...groups.map(readGroup),
  ]);
  return { day, groups: read, load };
}

function todayRowView(order: NamedOrder, principal: OrderPrincipal, now: Date): TodayRow {
  const isReceiver = sideOf(order, principal) === "receiver";
  const actions = isReceiver ? openActions(order, principal, now) : [];
  return {
    ...rowView(order, principal),
    mayAssign: actions.includes("assign"),
    moves: findMoves(order, actions, principal.uid, now),
  };
}

const isBoardStage = (task: string | null): task is BoardStage => groupsOfView.board.some((stage) => stage === task);

/** Returns the stages to which the open actions lead, each with one action. */
function findMoves(order: NamedOrder, actions: readonly OrderAction[], uid: string, now: Date): TodayRow["moves"] {
  const here = findReceivedTask(order.state, order.turn === "receiver");
  const moves = new Map<BoardStage, OrderAction>();
  // A question stops the work as well as a submission does; it is offered only where nothing else leads to the clinic.
  for (const action of actions.toSorted(
    (one, other) => Number(one === "requestInfo") - Number(other === "requestInfo"),
  )) {
    if (!boardActions.has(action)) continue;
    const { state, turn } = decideTransition(order, action, { ...emptyActionInput, now, uid, text: "" });
    const to = findReceivedTask(state, turn === "receiver");
    if (isBoardStage(to) && to !== here && !moves.has(to)) moves.set(to, action);
  }
  return [...moves].map(([to, action]) => ({ to, action }));
}
const boardActions: ReadonlySet<OrderAction> = new Set([
  "accept",
  "submitScheme",
  "submitDesign",
  "withdraw",
  "requestInfo",
  "dispatch",
  "backToDesign",
  "recallDispatch",
]);

async function readLoad(db: Db, iid: string, today: string): Promise<PersonLoad[]> {
  const lab = labRoles.map((role) => roles[role].authorityId);
  const { rows } = await sql<{
    id: Column<"users", "id">;
    name: Column<"users", "nick_name">;
    open: number;
    week: number;
    late: number;
  }>`
    select u.id, coalesce(nullif(u.nick_name, ''), u.user_name) as name,
      coalesce(work.open, 0) as open, coalesce(work.week, 0) as week, coalesce(work.late, 0) as late
    from membership m join users u on u.id = m.user_id left join (
      select person_id, count(*)::int as open, (count(*) filter (where due < ${today}::date))::int as late,
        (count(*) filter (where due between ${today}::date and ${lastDayOfWeek(today)}::date))::int as week
      from order_received where rank = any(${workStates.map(rankOf)}::int[]) group by person_id
    ) work on work.person_id = u.id
    where m.institution_id = ${iid} and m.state = 'normal' and m.authority_id = any(${lab}::int[])
    order by name, u.id`.execute(db);
  return rows;
}
