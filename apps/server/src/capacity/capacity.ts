import { capacityRules } from "@arcada/contract/capacity/capacity.rules";
import type { PeriodState } from "@arcada/contract/capacity/capacity.lifecycle";
import type { Period } from "@arcada/contract/capacity/capacity.calls";

/** Returns a percentage with two decimals; any use at all shows as more than 0. */
export const toPercent = (used: number, allowed: number): number =>
  used > 0 ? Math.max(0.01, roundTo(100, (used / allowed) * 100)) : 0;

export const toGigabytes = (bytes: number): number =>
  bytes > 0 ? Math.max(0.001, roundTo(1000, bytes / 1024 ** 3)) : 0;

const roundTo = (parts: number, value: number): number => Math.round(value * parts) / parts;

export const dayMs = 86_400_000;

/**
 * Returns the notice that is due this long before the expiry, as its number of days: the smallest that has been
 * reached.
 */
export const dueNotice = (remainingMs: number): number | null =>
  capacityRules.noticeDays.filter((days) => remainingMs <= days * dayMs).at(-1) ?? null;

/**
 * Returns the notice that counts as sent when a term begins: a term that is no longer than the notice's days has only
 * just begun.
 */
export const noticeAtStart = (days: number): number | null => dueNotice(days * dayMs);

interface PeriodStanding {
  state: PeriodState;
  fromCard: boolean;
  paymentWaits: boolean;
}
/** Returns the actions that a clinic's admin may take on a period. A card does not renew. */
export function openActions({ state, fromCard, paymentWaits }: PeriodStanding): Period["actions"] {
  if (fromCard) return [];
  if (state === "in_effect") return ["unsubscribe"];
  if (state === "unsubscribed") return ["resubscribe"];
  return state === "expired" && !paymentWaits ? ["renewLate"] : [];
}
