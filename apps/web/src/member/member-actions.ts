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

/** Actions without a confirmation, because nothing is lost. */
const immediateActions: readonly MemberAction[] = ["resend", "accept", "return"];
export const needsConfirmation = (action: MemberAction): boolean => !immediateActions.includes(action);
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
