import { defineEvent } from "../platform/events/events.ts";

export const memberTransitioned = defineEvent<{
  /** Rows of the table of members: "apply", "accept", "decline", "lapse", "agree", "reject", "changeRole", "kickOut", "exit". */
  action: string;
  institution: string;
  institutionName: string;
  /** The displayed name of the member, applicant or invited person. */
  person: string;
  by: string | null;
  /** The recipient: one user, or the managers of the institution. */
  recipient: { user: string } | "managers";
}>("memberTransitioned");

/**
 * A membership in an institution changed: to another role, or (null) it ended; then the successor has the member's open
 * work.
 */
export const membershipChanged = defineEvent<{
  institution: string;
  user: string;
  by: string;
  to: number | null;
  successor: string | null;
}>("membershipChanged");

/** `invitation` is the id of an admission, `user` that of an account. */
export type MembershipChange =
  /** The publisher has decided that this needs no agreement of the user. */
  | { kind: "admit"; user: string; authorityId: number }
  | { kind: "changeRole"; user: string; authorityId: number }
  | { kind: "end"; user: string }
  /** Does nothing if the address has an open invitation. */
  | { kind: "invite"; email: string; authorityId: number; name: string }
  | { kind: "changeOffer"; invitation: string; authorityId: number }
  | { kind: "cancelInvitation"; invitation: string };

/**
 * An identity provider demands a change of a membership. The member slice makes it in the same transaction, and refuses
 * `lastManager` as for everybody.
 */
export const membershipDemanded = defineEvent<{
  institution: string;
  /** The key of the identity provider, or the person who signs in with it. */
  by: string;
  source: "scim" | "identityProvider";
  address: string;
  change: MembershipChange;
}>("membershipDemanded");
