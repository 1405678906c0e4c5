import type { PeriodState } from "./capacity.lifecycle.ts";

export const capacityRules = {
  freeGigabytes: 5,
  freeAnalyses: 20,
  yellowFrom: 50,
  redFrom: 70,
  /** Days before the expiry on which clinic admins are notified; they are notified once more when it has come. */
  noticeDays: [30, 7, 1],
  /** Days before the expiry at which payment of a renewal is requested. */
  renewalDays: 14,
  /**
   * Retention of data above the quota: this many days, and at least until this many notices have been sent. After that
   * a person decides.
   */
  retentionDays: 180,
  minNotices: 3,
  /**
   * Wrong secrets of one account within this many minutes. A card has 80 random bits: attempts never close it to
   * others.
   */
  tryWindows: [
    { minutes: 15, maxAttempts: 5 },
    { minutes: 1440, maxAttempts: 20 },
  ],
  maxCardsPerIssue: 500,
  maxGigabytes: 100_000,
  maxAnalyses: 1_000_000,
  maxDays: 3660,
  /** So far ahead a subscription may begin. */
  maxDaysAhead: 90,
} as const;

export type UsageColour = "green" | "yellow" | "red";
export const usageColour = (percent: number): UsageColour =>
  percent < capacityRules.yellowFrom ? "green" : percent < capacityRules.redFrom ? "yellow" : "red";

export interface Plan {
  id: string;
  gigabytes: number;
  analyses: number;
  /** The length of one term, which is renewed. */
  days: number;
}
export const plans = [
  { id: "small-month", gigabytes: 50, analyses: 100, days: 30 },
  { id: "middle-month", gigabytes: 200, analyses: 500, days: 30 },
  { id: "large-month", gigabytes: 1024, analyses: 2000, days: 30 },
  { id: "small-year", gigabytes: 50, analyses: 1200, days: 365 },
  { id: "middle-year", gigabytes: 200, analyses: 6000, days: 365 },
  { id: "large-year", gigabytes: 1024, analyses: 24_000, days: 365 },
] as const satisfies readonly Plan[];
export const findPlan = (id: string): Plan | undefined => plans.find((plan) => plan.id === id);

export const paymentKinds = ["subscribe", "renew", "renewLate"] as const;
export type PaymentKind = (typeof paymentKinds)[number];
export const paymentStates = ["waiting", "confirmed", "declined", "withdrawn"] as const;
export type PaymentState = (typeof paymentStates)[number];

/** A period counts from its start to its expiry to the second, whether or not its state was moved yet. */
export const effectiveStates = ["subscribed", "in_effect", "unsubscribed"] as const satisfies readonly PeriodState[];
