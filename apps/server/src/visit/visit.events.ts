import { defineEvent } from "../platform/events/events.ts";

/** A patient's visit was recorded, changed or removed. */
export const visitsChanged = defineEvent<{
  institution: string;
  patientId: string;
}>("visitsChanged");
