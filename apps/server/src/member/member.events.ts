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
