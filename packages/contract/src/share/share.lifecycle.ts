import { defineLifecycle } from "../kernel/lifecycle.ts";

export const shareStates = ["active", "locked", "cancelled", "expired"] as const;
export type ShareState = (typeof shareStates)[number];
/**
 * creator: the person who made the link; admin: the managers of the sharing institution; visitor: anyone with the link.
 */
export type ShareParty = "creator" | "admin" | "visitor" | "system";

const activeStates = ["active", "locked"] as const satisfies readonly ShareState[];

export const shareLifecycle = defineLifecycle<ShareState, ShareParty, "days">(shareStates, ["cancelled", "expired"])({
  create: { id: "L1", from: [], to: ["active"], by: ["creator"] },
  open: { id: "L2", from: ["active"], to: ["active"], by: ["visitor"] },
  lock: { id: "L3", from: ["active"], to: ["locked"], by: ["system"] },
  unlock: { id: "L4", from: ["locked"], to: ["active"], by: ["creator", "admin"] },
  // The link itself is shown once: who has lost it makes a new one, and the old one opens nothing any more.
  renew: { id: "L4", from: activeStates, to: ["active"], by: ["creator", "admin"] },
  extend: { id: "L5", from: activeStates, to: ["active"], by: ["creator", "admin"], asks: ["days"] },
  cancel: { id: "L6", from: activeStates, to: ["cancelled"], by: ["creator", "admin", "system"] },
  lapse: { id: "L7", from: activeStates, to: ["expired"], by: ["system"] },
});
export type ShareAction = keyof typeof shareLifecycle.steps;
