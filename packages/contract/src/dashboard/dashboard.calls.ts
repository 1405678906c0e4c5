import { z } from "zod";
import { call } from "../kernel/call.ts";
import { day, id, instant } from "../kernel/fields.ts";
import { managerRoles } from "../kernel/roles.ts";
import { remakeBearers, remakeClasses } from "../order/forward.rules.ts";
import { orderCycle, orderStates } from "../order/order.cycle.ts";

/**
 * Ages of open orders, by calendar days of the reader since the order was made: so each figure matches a list of
 * orders, too.
 */
export const ages = [
  { name: "today", least: 0, most: 0 },
  { name: "days1", least: 1, most: 2 },
  { name: "days3", least: 3, most: 6 },
  { name: "days7", least: 7, most: null },
] as const;

/** The ways from one moment of an order to a later one. */
export const spans = ["accept", "make", "receive", "whole"] as const;
export type Span = (typeof spans)[number];

export const dashboardRules = {
  /** The default number of days, and the choices for one click. */
  usualDays: 90,
  days: [30, 90, 365],
  daysMost: 366,
  partnersMost: 20,
  latestMost: 10,
  exportMinutes: 15,
} as const;

/** States in which an order still waits for an action. */
export const openStates = orderStates.filter((state) => !orderCycle.terminal.includes(state));

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
/** Calendar days in the institution's time zone; both are included. */
const period = z
  .object({ from: day, to: day })
  .refine(({ from, to }) => from <= to && daysBetween(from, to) <= dashboardRules.daysMost, {
    path: ["to"],
    message: "invalid",
  });

/** Seconds; null where nothing came to that end. */
const times = { count: z.int(), median: z.number().nullable(), late: z.number().nullable() };
const openRow = z.object({
  state: z.enum(orderStates),
  /** One for each of `ages`. */
  ages: z.array(z.int()),
  /** The number of these orders that wait for the caller's institution. */
  mine: z.int(),
  all: z.int(),
});
export type OpenRow = z.output<typeof openRow>;

export const partnerTimes = z.object({ id, name: z.string(), ...times, redeliveries: z.int(), remakes: z.int() });
export const again = z.object({
  kind: z.enum(["redelivery", "remake"]),
  orderId: id,
  number: z.string(),
  partner: z.string(),
  at: instant,
  /** As the sender wrote it. */
  reason: z.string().nullable(),
  cause: z.enum(remakeClasses).nullable(),
  bears: z.enum(remakeBearers).nullable(),
});
export type Again = z.output<typeof again>;

export const dashboardCalls = {
  open: call({
    method: "GET",
    path: "/v1/dashboard/open",
    access: managerRoles,
    says: "The open orders of the session's organisation by state, age and turn.",
    input: z.object({}),
    output: z.object({ today: day, rows: z.array(openRow) }),
  }),
  period: call({
    method: "GET",
    path: "/v1/dashboard/period",
    access: managerRoles,
    says: "How long completed orders took, what was delivered or made again, and what was uploaded, in a time of at most a year.",
    input: period,
    output: z.object({
      spans: z.object({
        accept: z.object(times),
        make: z.object(times),
        receive: z.object(times),
        whole: z.object(times),
      }),
      months: z.array(z.object({ month: z.string(), ...times })),
      partners: z.array(partnerTimes),
      redeliveries: z.int(),
      remakes: z.int(),
      causes: z.array(
        z.object({ cause: z.enum(remakeClasses).nullable(), bears: z.enum(remakeBearers).nullable(), count: z.int() }),
      ),
      latest: z.array(again),
      /** Weeks by their Monday. */
      uploads: z.array(z.object({ week: day, files: z.int(), bytes: z.int() })),
      /** Analyses that came to their end; null of a lab, which makes none. */
      analyses: z.int().nullable(),
    }),
  }),
  export: call({
    method: "POST",
    path: "/v1/dashboard/export",
    access: managerRoles,
    says: "The figures as a spreadsheet (xlsx) in the asker's language; answers its short-lived address.",
    audit: "institution.exportFigures",
    input: period,
    output: z.object({ url: z.string() }),
  }),
} as const;
