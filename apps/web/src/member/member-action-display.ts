import { roles } from "@arcada/contract/kernel/roles";
import type { Member } from "@arcada/contract/member/member.calls";
import { memberLifecycle, rolesByType } from "@arcada/contract/member/member.lifecycle";
import type { MemberAction, MemberState } from "@arcada/contract/member/member.lifecycle";
import type { Translate } from "../i18n/texts.ts";

export const stateColours: Record<MemberState, string> = {
  not_reviewed: "yellow",
  awaiting_confirmation: "yellow",
  normal: "teal",
  confirmed: "teal",
  rejected: "red",
  deleted: "red",
  exited: "gray",
  cancelled: "gray",
  expired: "gray",
};

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

/** The roles of an organisation of this type, for a choice. */
export const listRoleOptions = (
  t: Translate,
  type: Member["institution"]["type"],
): { value: string; label: string }[] =>
  rolesByType[type].map((role) => ({ value: String(roles[role].authorityId), label: t(`common.role.${role}`) }));
