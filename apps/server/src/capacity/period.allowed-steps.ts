import type { PeriodState } from "@arcada/contract/capacity/capacity.lifecycle";
import type { Period } from "@arcada/contract/capacity/capacity.calls";

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
