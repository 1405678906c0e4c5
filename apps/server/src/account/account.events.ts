import { defineEvent } from "../platform/events/events.ts";

/** The country of an account is now known, and for an account that was opened for an institution its name as well. */
export const accountCompleted = defineEvent<{
  user: string;
  nation: string;
  institutionName: string | null;
}>("accountCompleted");

/**
 * An account was made with the secret of an invitation, which proves the address. The member slice accepts the invitation
 * in the same transaction.
 */
export const invitedAccountCreated = defineEvent<{
  user: string;
  invitation: string;
  address: string;
}>("invitedAccountCreated");

/** A person was made an operator of the platform, from the machine itself. */
export const operatorNamed = defineEvent<{ user: string }>("operatorNamed");
