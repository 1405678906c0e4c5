import { capacityRules } from "@arcada/contract/capacity/capacity.rules";
import type { PeriodState } from "@arcada/contract/capacity/capacity.cycle";
import type { Period } from "@arcada/contract/capacity/capacity.calls";

/** Two decimals; anything that is there at all shows as more than nothing. */
export const percentOf = (used: number, allowed: number): number =>
  used > 0 ? Math.max(0.01, roundTo(100, (used / allowed) * 100)) : 0;

export const inGigabytes = (bytes: number): number =>
  bytes > 0 ? Math.max(0.001, roundTo(1000, bytes / 1024 ** 3)) : 0;

const roundTo = (parts: number, value: number): number => Math.round(value * parts) / parts;

export const dayMs = 86_400_000;

/** The notice that so much time before the expiry calls for: the days that it speaks of, the smallest that have been reached. */
export const noticeAt = (remainingMs: number): number | null =>
  capacityRules.noticeDays.filter((days) => remainingMs <= days * dayMs).at(-1) ?? null;

/** What is not told of a term that is no longer than that: it has only begun. */
export const toldAtStart = (days: number): number | null => noticeAt(days * dayMs);

interface Standing {
  state: PeriodState;
  fromCard: boolean;
  paymentWaits: boolean;
}
/** What a clinic's admin may do with a period. A card has nothing that renews. */
export function actionsOf({ state, fromCard, paymentWaits }: Standing): Period["actions"] {
  if (fromCard) return [];
  if (state === "in_effect") return ["unsubscribe"];
  if (state === "unsubscribed") return ["resubscribe"];
  return state === "expired" && !paymentWaits ? ["renewLate"] : [];
}
