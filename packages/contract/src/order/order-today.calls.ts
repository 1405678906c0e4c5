import { z } from "zod";
import { call } from "../kernel/call.ts";
import { day, id } from "../kernel/fields.ts";
import { caseRoles } from "../kernel/roles.ts";
import { addDays } from "../kernel/time-zone.ts";
import type { OrderFilter } from "./order-list.filter.ts";
import { orderRow } from "./order.calls.ts";
import { orderLifecycle } from "./order.lifecycle.ts";
import type { OrderAction, OrderState } from "./order.lifecycle.ts";
import { orderTasks } from "./order-tasks.ts";

export const todayRules = {
  /** Days of which `dueSoon` and a designer's load consist, today included. */
  weekDays: 7,
  rowsOfGroup: 6,
  rowsOfColumn: 50,
} as const;

export const orderGroups = ["late", "dueToday", "dueSoon", ...orderTasks] as const;
export type OrderGroup = (typeof orderGroups)[number];

/** The groups of the page for the day, the most urgent first, and the columns of the board, from left to right. */
export const groupsOfView = {
  clinic: ["answer", "reviewDesign", "reviewScheme", "receive", "resend", "late", "dueSoon"],
  lab: [
    "late",
    "dueToday",
    "dueSoon",
    "atClinic",
    "accept",
    "plan",
    "design",
    "ship",
    "forward",
    "answer",
    "reviewScheme",
    "reviewDesign",
    "receive",
    "resend",
  ],
  board: ["accept", "plan", "design", "atClinic", "ship", "shipped"],
} as const satisfies Record<string, readonly OrderGroup[]>;
export type BoardStage = (typeof groupsOfView.board)[number];

/** The states in which the work is not finished: an order in one of them can be late. */
export const unfinishedStates = [
  "pending",
  "awaiting_scheme",
  "awaiting_design",
  "awaiting_dispatch",
  "forwarded",
] as const satisfies readonly OrderState[];
/** The states in which somebody of the laboratory works on an order. */
export const workStates = [
  "awaiting_scheme",
  "awaiting_design",
  "awaiting_dispatch",
] as const satisfies readonly OrderState[];

type GroupFilter = Pick<OrderFilter, "task" | "states" | "dueFrom" | "dueTo" | "personId">;
/**
 * Returns the filter of the order list that finds the orders of a group, so that the list behind a counter has as many
 * orders as the counter says. Anybody of a laboratory may accept, so that group is never limited to one person.
 */
export function groupFilter(group: OrderGroup, today: string, personId?: string): GroupFilter {
  const person = personId !== undefined && group !== "accept" ? { personId } : {};
  if (group === "late") return { states: unfinishedStates.join(","), dueTo: addDays(today, -1), ...person };
  if (group === "dueToday") return { states: unfinishedStates.join(","), dueFrom: today, dueTo: today, ...person };
  if (group === "dueSoon")
    return { states: unfinishedStates.join(","), dueFrom: today, dueTo: lastDayOfWeek(today), ...person };
  return { task: group, ...person };
}
export const lastDayOfWeek = (today: string): string => addDays(today, todayRules.weekDays - 1);

const actions = Object.keys(orderLifecycle.steps) as [OrderAction, ...OrderAction[]];
export const todayRow = orderRow.extend({
  mayAssign: z.boolean(),
  /** The stages of the board to which the reader may move the order now, and the action of each. */
  moves: z.array(z.object({ action: z.enum(actions), to: z.enum(groupsOfView.board) })),
});
export type TodayRow = z.output<typeof todayRow>;

/** The received orders of one person of a laboratory on which work is going on. */
export const personLoad = z.object({
  id,
  name: z.string(),
  open: z.int(),
  /** Due within a week, today included. */
  week: z.int(),
  late: z.int(),
});
export type PersonLoad = z.output<typeof personLoad>;

export const orderTodayCalls = {
  today: call({
    method: "GET",
    path: "/v1/order/today",
    access: caseRoles,
    summary:
      "What the orders ask of this organisation today, in groups: each with its number and its first orders. To a laboratory also the load of each person, and with `board` the stages of its work as groups.",
    audit: "order.list",
    input: z.object({ view: z.enum(["today", "board"]).default("today"), personId: id.optional() }),
    output: z.object({
      day,
      groups: z.array(z.object({ group: z.enum(orderGroups), total: z.int(), list: z.array(todayRow) })),
      load: z.array(personLoad),
    }),
  }),
} as const;
