import { defineLifecycle } from "../kernel/lifecycle.ts";

export const relationRules = {
  askAgainHours: 24,
  resumeDays: 14,
  resendHours: 24,
  maxInvitesPerDay: 20,
  /** Lifetime of a request to a party that was invited by email, in days. */
  inviteDays: 30,
} as const;
export const relationStates = ["requested", "established", "rejected", "cancelled", "closing", "ended"] as const;
export type RelationState = (typeof relationStates)[number];
/** Between two institutions there is at most one relation in these states at a time. */
export const activeStates = ["requested", "established", "closing"] as const satisfies readonly RelationState[];
/** requester, target: the admins of that side; either: the admins of both; leaver: those of the side that left. */
export type RelationParty = "requester" | "target" | "either" | "leaver" | "system";

const endedStates = ["rejected", "cancelled", "ended"] as const satisfies readonly RelationState[];

export const relationLifecycle = defineLifecycle<RelationState, RelationParty, "reason">(
  relationStates,
  endedStates,
)({
  request: { id: "R1", from: [], to: ["requested"], by: ["either"] },
  accept: { id: "R2", from: ["requested"], to: ["established"], by: ["target"] },
  autoAccept: { id: "R3", from: ["requested"], to: ["established"], by: ["system"] },
  reject: { id: "R4", from: ["requested"], to: ["rejected"], by: ["target"], asks: ["reason"] },
  cancel: { id: "R5", from: ["requested"], to: ["cancelled"], by: ["requester"] },
  resend: { id: "R5", from: ["requested"], to: ["requested"], by: ["requester"] },
  exit: { id: "R6", from: ["established"], to: ["closing"], by: ["either"], asks: ["reason"] },
  resume: { id: "R7", from: ["closing"], to: ["established"], by: ["leaver"] },
  settle: { id: "R8", from: ["closing"], to: ["ended"], by: ["system"] },
  hide: { id: "R9", from: endedStates, to: endedStates, by: ["either"] },
  // The record stays as it ended; a new one begins by R1.
  askAgain: { id: "R10", from: endedStates, to: endedStates, by: ["either"] },
});
export type RelationAction = keyof typeof relationLifecycle.steps;
