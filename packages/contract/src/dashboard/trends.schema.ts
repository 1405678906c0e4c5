import { z } from "zod";
import { day, id } from "../kernel/fields.ts";
import { remakeClasses } from "../order/order-steps.rules.ts";
import { bucketUnits } from "./trend-buckets.ts";

/** The reasons for a remake; `unstated`: the order names none. */
export const remakeReasons = [...remakeClasses, "unstated"] as const;
export type RemakeReason = (typeof remakeReasons)[number];

const completedFigures = {
  /** Orders that were completed. */
  completed: z.int(),
  /** The completed orders that had a due date, and those of them that were delivered after it. */
  dated: z.int(),
  late: z.int(),
  /** Seconds from the hand-over to the completion: of half, and of nine tenths of the orders; null without any. */
  median: z.number().nullable(),
  p90: z.number().nullable(),
};
/** Remakes count on the day on which they were handed over to the laboratory. */
const trendFigures = { ...completedFigures, remakes: z.int() };

const trendBucket = z.object({
  from: day,
  to: day,
  ...trendFigures,
  reasons: z.record(z.enum(remakeReasons), z.int()),
  /** Bytes in store at the end, counted by the files that still exist; null where the reader sees only their own work. */
  stored: z.int().nullable(),
});
export type TrendBucket = z.output<typeof trendBucket>;
const trendPeriod = z.object({ from: day, to: day, total: z.object(trendFigures), buckets: z.array(trendBucket) });
export type TrendPeriod = z.output<typeof trendPeriod>;
export type TrendFigures = TrendPeriod["total"];

const workload = z.object({
  /** Null: orders without a person in charge. */
  id: id.nullable(),
  name: z.string(),
  /** Orders in work now, and those of them whose due date has passed. */
  open: z.int(),
  overdue: z.int(),
  ...completedFigures,
});
export type Workload = z.output<typeof workload>;

/** The open orders of each person of a laboratory at the end of each week or month; of the present one: now. */
export const workloadOverTime = z.object({
  unit: z.enum(bucketUnits),
  buckets: z.array(z.object({ from: day, to: day })),
  /** The people with the most orders first. Null: orders without a person in charge. */
  people: z.array(z.object({ id: id.nullable(), name: z.string(), open: z.array(z.int()) })),
});
export type WorkloadOverTime = z.output<typeof workloadOverTime>;

export const trends = z.object({
  unit: z.enum(bucketUnits),
  /** "own": only the orders for which the reader is in charge. */
  scope: z.enum(["institution", "own"]),
  today: day,
  now: trendPeriod,
  /** The period of the same length before. */
  before: trendPeriod,
  people: z.array(workload),
});
