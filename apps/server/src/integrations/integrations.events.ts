import { defineEvent } from "../platform/events/events.ts";

/** An endpoint failed for so long that it receives no more events; `webhook` is its name. */
export const webhookStopped = defineEvent<{
  institution: string;
  webhook: string;
}>("webhookStopped");
