import { defineLifecycle } from "../kernel/lifecycle.ts";
import { clinicRoles, dentistRoles, labRoles, managerRoles, findRole, roles } from "../kernel/roles.ts";
import type { Role } from "../kernel/roles.ts";

export const memberRules = {
  invitationDays: 7,
  applyAgainHours: 24,
  /** Emails that an institution may cause in a day: in total, and to one address. */
  maxInvitationsPerDay: 200,
  maxInvitationsPerDayAndAddress: 20,
  maxApplicationsPerDay: 20,
  licence: 60,
} as const;

export const memberStates = [
  "not_reviewed",
  "awaiting_confirmation",
  "normal",
  "rejected",
  "deleted",
  "exited",
  "confirmed",
  "cancelled",
  "expired",
] as const;
export type MemberState = (typeof memberStates)[number];
/** Number on the wire of each state. */
export const memberStatus: Record<MemberState, number> = {
  not_reviewed: 0,
  awaiting_confirmation: 1,
  normal: 2,
  rejected: 3,
  deleted: 4,
  exited: 5,
  confirmed: 6,
  cancelled: 7,
  expired: 8,
};
const endedStates = ["rejected", "cancelled", "expired", "deleted", "exited"] as const satisfies readonly MemberState[];

/**
 * manager: of the institution; self: the subject of the record, that is the invited person, the applicant or the
 * member.
 */
export type MemberParty = "manager" | "self" | "system";
/** role: authorityId; colleague: the user who takes over the open work. */
type MemberInput = "role" | "colleague";

/**
 * One life cycle over two records: an invitation or an application ends as `confirmed`, or as `normal` when it was
 * accepted, and the resulting membership continues.
 */
export const memberLifecycle = defineLifecycle<MemberState, MemberParty, MemberInput>(
  memberStates,
  endedStates,
)({
  invite: { id: "M1", from: [], to: ["awaiting_confirmation"], by: ["manager"], asks: ["role"] },
  resend: { id: "M1", from: ["awaiting_confirmation"], to: ["awaiting_confirmation"], by: ["manager"] },
  accept: { id: "M2", from: ["awaiting_confirmation"], to: ["confirmed"], by: ["self"] },
  decline: { id: "M3", from: ["awaiting_confirmation"], to: ["rejected"], by: ["self"] },
  cancelInvitation: { id: "M4", from: ["awaiting_confirmation"], to: ["cancelled"], by: ["manager"] },
  lapse: { id: "M5", from: ["awaiting_confirmation"], to: ["expired"], by: ["system"] },
  enter: { id: "M6", from: ["confirmed"], to: ["normal"], by: ["system"] },
  apply: { id: "M7", from: [], to: ["not_reviewed"], by: ["self"] },
  agree: { id: "M8", from: ["not_reviewed"], to: ["normal"], by: ["manager"], asks: ["role"] },
  reject: { id: "M9", from: ["not_reviewed"], to: ["rejected"], by: ["manager"] },
  cancelApplication: { id: "M10", from: ["not_reviewed"], to: ["cancelled"], by: ["self"] },
  changeRole: { id: "M11", from: ["normal"], to: ["normal"], by: ["manager"], asks: ["role"] },
  kickOut: { id: "M12", from: ["normal"], to: ["deleted"], by: ["manager"], asks: ["colleague"] },
  exit: { id: "M13", from: ["normal"], to: ["exited"], by: ["self"], asks: ["colleague"] },
  // The old record stays as it ended; a new one begins by M1 or M7.
  return: { id: "M14", from: endedStates, to: endedStates, by: ["manager", "self"] },
});
export type MemberAction = keyof typeof memberLifecycle.steps;

/** The roles in an institution of this type, the manager's first. */
export const rolesByType = { clinic: clinicRoles, lab: labRoles } as const;
/** The role of a new member where nobody has chosen one. */
export const usualRole = (type: "clinic" | "lab"): Role => rolesByType[type][1];
export const isRoleOfType = (authorityId: number, type: "clinic" | "lab"): boolean =>
  rolesByType[type].some((role) => roles[role].authorityId === authorityId);
/** Only somebody who may sign has a licence number here. */
export const mayHaveLicence = (authorityId: number): boolean =>
  (dentistRoles as readonly string[]).includes(findRole(authorityId));
export const isManagerRole = (authorityId: number): boolean =>
  (managerRoles as readonly string[]).includes(findRole(authorityId));
