import { z } from "zod";
import { day, id, limited, text } from "../kernel/fields.ts";
import { orderStates } from "./order.lifecycle.ts";
import type { OrderState } from "./order.lifecycle.ts";
import { remakeClasses } from "./order-steps.rules.ts";
import { orderTasks } from "./order-tasks.ts";
import { caseTypes } from "./order.rules.ts";

/** A filtered list counts up to `maxTotalCount` and then stops. */
export const listRules = {
  maxTotalCount: 1000,
  exportRows: 100_000,
  exportMinutes: 15,
  exportName: "excel-list",
  maxViews: 30,
  maxNames: 100,
} as const;

export const orderSorts = ["number", "created", "updated", "due", "patient", "state"] as const;
export type OrderSort = (typeof orderSorts)[number];
/** The default direction of each sort: new first for dates, ascending for due dates, names and states. */
export const defaultDirection: Record<OrderSort, "up" | "down"> = {
  number: "down",
  created: "down",
  updated: "down",
  due: "up",
  patient: "up",
  state: "up",
};

export const orderColumns = [
  "number",
  "patient",
  "other",
  "work",
  "caseType",
  "state",
  "due",
  "person",
  "created",
  "updated",
] as const;
export type OrderColumn = (typeof orderColumns)[number];
/** Shown to those who have not chosen. */
export const defaultColumns = ["number", "other", "state", "due", "updated"] as const satisfies readonly OrderColumn[];

const areStates = (value: string): boolean => parseStates(value).length === value.split(",").length;
/** The states that a list of words names. */
export const parseStates = (value: string): OrderState[] =>
  orderStates.filter((state) => value.split(",").includes(state));

export const deliveries = ["late", "onTime"] as const;
/** Remakes of any reason, of one reason, or without a reason. */
export const remakeFilters = ["any", ...remakeClasses, "unstated"] as const;
export const orderLists = ["sent", "received"] as const;

export const orderFilter = {
  state: z.enum(orderStates).optional(),
  /** Several states, with commas between them. */
  states: limited(200).refine(areStates, "invalid").optional(),
  search: text(60).optional(),
  turn: z.enum(["mine"]).optional(),
  /** The task of the order: see `orderTasks`. */
  task: z.enum(orderTasks).optional(),
  patientId: id.optional(),
  caseType: z.enum(caseTypes).optional(),
  /** The institution on the other side. */
  otherIid: id.optional(),
  /** The person in charge on the caller's side: the creator of sent orders, the assignee of received ones. */
  personId: id.optional(),
  /** Calendar days in the institution's time zone. */
  createdFrom: day.optional(),
  createdTo: day.optional(),
  dueFrom: day.optional(),
  dueTo: day.optional(),
  /** The days of the hand-over to the receiver, and of the completion. */
  sentFrom: day.optional(),
  sentTo: day.optional(),
  completedFrom: day.optional(),
  completedTo: day.optional(),
  /** Handed over before the end of this day, and neither dispatched, completed nor ended before it. */
  openOn: day.optional(),
  /** Delivered after the due date, or not after it. */
  delivered: z.enum(deliveries).optional(),
  remake: z.enum(remakeFilters).optional(),
  /** Sent or received by the caller's institution: a lab does both. */
  list: z.enum(orderLists).optional(),
};
export const orderSorting = {
  sort: z.enum(orderSorts).optional(),
  way: z.enum(["up", "down"]).optional(),
};
/** The default sort: by a day if the filter uses that day, else the latest change first. */
export const defaultSort = (
  filter: Partial<Record<"createdFrom" | "createdTo" | "dueFrom" | "dueTo", string | undefined>>,
): OrderSort =>
  filter.createdFrom || filter.createdTo ? "created" : filter.dueFrom || filter.dueTo ? "due" : "updated";
const fullFilter = z.object({ ...orderFilter, ...orderSorting });
export type OrderFilter = z.output<typeof fullFilter>;
