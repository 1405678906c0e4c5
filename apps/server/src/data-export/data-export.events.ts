import { defineEvent } from "../platform/events/events.ts";

/** A data export is ready, or could not be made; `institution` is a name. */
export const exportEnded = defineEvent<{
  user: string;
  institution: string;
  isReady: boolean;
}>("exportEnded");
