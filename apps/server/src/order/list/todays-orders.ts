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
import { parseStates } from "@arcada/contract/order/order-list.filter";
import { findReceivedTask, taskRules } from "@arcada/contract/order/order-tasks";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import type { Db } from "../../platform/database/database.ts";
import type { MemberContext } from "../../platform/http/request-context.ts";
import type { NamedOrder } from "../core/order.read.ts";
import { rowView } from "../core/order.view.ts";
import { emptyActionInput } from "../transition/apply-transition.ts";
import { decideTransition, openActions, sideOf } from "../transition/guards.ts";
import type { OrderPrincipal } from "../transition/guards.ts";
import { rankOf } from "./list-filter.ts";
import { listFirstPages } from "./list-pages.ts";

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
  const [load, held] = await Promise.all([
    isLab ? readLoad(db, principal.iid, day) : [],
    readHeldStates(db, principal.iid),
  ]);
  const filters = groups.map((group) => groupFilter(group, day, personId));
  const queries = filters.map((filter) => ({ ...filter, sort: "due", page: 1, pageSize }) as const);
  // A group in whose states no order is needs no query.
  const occupied = queries.filter((query) => mayHaveOrders(query, held));
  const pages = await listFirstPages(db, principal, occupied);
  return {
    day,
    groups: groups.map((group, place) => {
      const page = pages[occupied.indexOf(queries[place]!)];
      const list = page?.list.map((order) => todayRowView(order, principal, now)) ?? [];
      return { group, total: page?.total ?? 0, list };
    }),
    load,
  };
}

/** The states in which an institution has orders, with whether they wait for it, and whether it has sent any order. */
interface HeldStates {
  states: ReadonlySet<string>;
  hasSent: boolean;
}
async function readHeldStates(db: Db, iid: string): Promise<HeldStates> {
  const rows = await db
    .selectFrom("order_tally")
    .select(["state", "mine", sql<boolean>`exists (select from order_sent)`.as("sent")])
    .where("institution_id", "=", iid)
    .groupBy(["state", "mine"])
    .having(sql<boolean>`sum(n) > 0`)
    .execute();
  return { states: new Set(rows.map(({ state, mine }) => `${state} ${mine}`)), hasSent: rows.some(({ sent }) => sent) };
}

function mayHaveOrders({ task, states }: ReturnType<typeof groupFilter>, held: HeldStates): boolean {
  if (task && taskRules[task].list === "sent" && !held.hasSent) return false;
  const possible = task
    ? taskRules[task].states.map((state) => `${state} ${taskRules[task].isMyTurn}`)
    : parseStates(states ?? "").flatMap((state) => [`${state} true`, `${state} false`]);
  return possible.some((one) => held.states.has(one));
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
  // The open orders are read once, and not for each person, of whom an index has the completed orders as well. The view has
  // the condition on the tenant built in: without it no index answers for the states (decision 5).
  const loads = sql<{ person_id: string; counts: number[] }>`(
    select person_id, array[
      count(*), count(*) filter (where due between ${today}::date and ${lastDayOfWeek(today)}::date),
      count(*) filter (where due < ${today}::date)]::int[] as counts
    from order_received where rank = any(${workStates.map(rankOf)}::int[]) group by person_id)`;
  const people = await db
    .selectFrom("membership")
    .innerJoin("users", "users.id", "membership.user_id")
    .leftJoin(loads.as("load"), "load.person_id", "users.id")
    .select(["users.id", sql<string>`coalesce(nullif(users.nick_name, ''), users.user_name)`.as("name")])
    .select("load.counts")
    .where("membership.institution_id", "=", iid)
    .where("membership.state", "=", "normal")
    .where("membership.authority_id", "in", labAuthorityIds)
    .orderBy("name")
    .orderBy("users.id")
    .execute();
  return people.map(({ id, name, counts }) => {
    const [open = 0, week = 0, late = 0] = counts ?? [];
    return { id, name, open, week, late };
  });
}
const labAuthorityIds: number[] = labRoles.map((role) => roles[role].authorityId);
