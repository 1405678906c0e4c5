import { defineEvent } from "../platform/events/events.ts";

/** A membership in the platform's service changed: it was given, changed or (null) removed. */
export const serviceMembershipChanged = defineEvent<{
  user: string;
  from: number | null;
  to: number | null;
  by: string;
}>("serviceMembershipChanged");
