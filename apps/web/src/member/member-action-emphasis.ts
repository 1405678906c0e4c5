import { memberLifecycle } from "@arcada/contract/member/member.lifecycle";
import type { MemberAction } from "@arcada/contract/member/member.lifecycle";

/** Actions that a dialog confirms. Nothing is lost by the others. */
const confirmedActions = [
  "agree",
  "reject",
  "changeRole",
  "kickOut",
  "exit",
  "cancelInvitation",
  "cancelApplication",
  "decline",
] as const satisfies readonly MemberAction[];
export type ConfirmedAction = (typeof confirmedActions)[number];
export const needsConfirmation = (action: MemberAction): action is ConfirmedAction =>
  confirmedActions.some((one) => one === action);
export const dangerousActions: readonly MemberAction[] = ["reject", "kickOut", "exit", "cancelInvitation", "decline"];
/** The primary actions. */
export const primaryActions: readonly MemberAction[] = ["accept", "agree"];
export const requiresInput = (action: MemberAction, what: "role" | "colleague"): boolean =>
  memberLifecycle.steps[action].asks?.includes(what) ?? false;
