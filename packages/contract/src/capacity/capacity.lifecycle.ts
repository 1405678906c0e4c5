import { defineLifecycle } from "../kernel/lifecycle.ts";

export const capacityStates = ["issued", "subscribed", "in_effect", "unsubscribed", "expired", "void"] as const;
export type CapacityState = (typeof capacityStates)[number];
/** States of a card: of a period it goes through, only those in which it is worth something or was. */
export const cardStates = ["issued", "in_effect", "expired", "void"] as const satisfies readonly CapacityState[];
export type CardState = (typeof cardStates)[number];
/** States of an institution's capacity, from a card or a plan. */
export const periodStates = [
  "subscribed",
  "in_effect",
  "unsubscribed",
  "expired",
] as const satisfies readonly CapacityState[];
export type PeriodState = (typeof periodStates)[number];
type CapacityParty = "operator" | "clinicAdmin" | "system";

export const capacityLifecycle = defineLifecycle<CapacityState, CapacityParty, "reason">(capacityStates, ["void"])({
  issue: { id: "C1", from: [], to: ["issued"], by: ["operator"] },
  activate: { id: "C2", from: ["issued"], to: ["in_effect"], by: ["clinicAdmin"] },
  subscribe: { id: "C3", from: [], to: ["subscribed"], by: ["clinicAdmin"] },
  start: { id: "C4", from: ["subscribed"], to: ["in_effect"], by: ["system"] },
  renew: { id: "C5", from: ["in_effect"], to: ["in_effect"], by: ["system"] },
  unsubscribe: { id: "C6", from: ["in_effect"], to: ["unsubscribed"], by: ["clinicAdmin"] },
  resubscribe: { id: "C7", from: ["unsubscribed"], to: ["in_effect"], by: ["clinicAdmin"] },
  expire: { id: "C8", from: ["in_effect", "unsubscribed"], to: ["expired"], by: ["system"] },
  renewLate: { id: "C9", from: ["expired"], to: ["in_effect"], by: ["clinicAdmin"] },
  void: { id: "C10", from: ["issued"], to: ["void"], by: ["operator"], asks: ["reason"] },
});
