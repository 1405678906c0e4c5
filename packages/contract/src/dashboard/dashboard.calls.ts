import { z } from "zod";
import { call } from "../kernel/call.ts";
import { day, id, instant } from "../kernel/fields.ts";
import { dentistRoles, labRoles } from "../kernel/roles.ts";
import { remakeBearers, remakeClasses } from "../order/order-steps.rules.ts";
import { orderLifecycle, orderStates } from "../order/order.lifecycle.ts";
import { dashboardPeriod } from "./trend-buckets.ts";
import { trends, workloadOverTime } from "./trends.schema.ts";

/**
 * Ages of open orders, by calendar days of the reader since the order was made: so each figure matches a list of
 * orders, too.
 */
export const waitingAgeBands = [
  { name: "today", min: 0, max: 0 },
  { name: "days1", min: 1, max: 2 },
  { name: "days3", min: 3, max: 6 },
  { name: "days7", min: 7, max: null },
] as const;

/** The ways from one moment of an order to a later one. */
export const orderDurations = ["accept", "make", "receive", "whole"] as const;
export type OrderDuration = (typeof orderDurations)[number];

/**
 * Managers see the figures of their organisation. Dentists and technicians see those of their own orders: the server
 * adds the condition.
 */
const access = [...dentistRoles, ...labRoles] as const;

/** States in which an order still waits for an action. */
export const openOrderStates = orderStates.filter((state) => !orderLifecycle.terminal.includes(state));

/** Seconds; null where nothing came to that end. */
const durationFigures = { count: z.int(), median: z.number().nullable(), late: z.number().nullable() };
const openOrdersRow = z.object({
  state: z.enum(orderStates),
  /** One for each of `waitingAgeBands`. */
  ages: z.array(z.int()),
  /** The number of these orders that wait for the caller's institution. */
  mine: z.int(),
  all: z.int(),
});
export type OpenOrdersRow = z.output<typeof openOrdersRow>;

export const partnerTimes = z.object({
  id,
  name: z.string(),
  ...durationFigures,
  redeliveries: z.int(),
  remakes: z.int(),
});
export const reworkEntry = z.object({
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
export type ReworkEntry = z.output<typeof reworkEntry>;

export const dashboardCalls = {
  open: call({
    method: "GET",
    path: "/v1/dashboard/open",
    access,
    summary: "The open orders by state, age and turn: of the organisation for its managers, of the person for others.",
    input: z.object({}),
    output: z.object({ today: day, rows: z.array(openOrdersRow) }),
  }),
  period: call({
    method: "GET",
    path: "/v1/dashboard/period",
    toleratesDelay: true,
    access,
    summary:
      "How long completed orders took, by stage and by partner, and what was delivered or made again, in a time of at most a year.",
    input: dashboardPeriod,
    output: z.object({
      spans: z.object({
        accept: z.object(durationFigures),
        make: z.object(durationFigures),
        receive: z.object(durationFigures),
        whole: z.object(durationFigures),
      }),
      partners: z.array(partnerTimes),
      redeliveries: z.int(),
      remakes: z.int(),
      causes: z.array(
        z.object({ cause: z.enum(remakeClasses).nullable(), bears: z.enum(remakeBearers).nullable(), count: z.int() }),
      ),
      latest: z.array(reworkEntry),
      /**
       * Analyses by learned engines and measurements that came to their end; null for a lab, which makes none, and for a
       * single person.
       */
      analyses: z.int().nullable(),
      measurements: z.int().nullable(),
    }),
  }),
  trends: call({
    method: "GET",
    path: "/v1/dashboard/trends",
    toleratesDelay: true,
    access,
    summary:
      "Turnaround, lateness, remakes, workload and stored data by weeks or months, beside the period of the same length before.",
    input: dashboardPeriod,
    output: trends,
  }),
  workload: call({
    method: "GET",
    path: "/v1/dashboard/workload",
    toleratesDelay: true,
    access: labRoles,
    summary:
      "The open orders of each person at the end of each week or month: of the laboratory for its managers, of the person for others.",
    input: dashboardPeriod,
    output: workloadOverTime,
  }),
  export: call({
    method: "POST",
    path: "/v1/dashboard/export",
    access,
    summary: "The figures as a spreadsheet (xlsx) in the asker's language; answers its short-lived address.",
    audit: "institution.exportFigures",
    input: dashboardPeriod,
    output: z.object({ url: z.string() }),
  }),
} as const;
