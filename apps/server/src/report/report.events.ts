import { defineEvent } from "../platform/events/events.ts";

export const reportSigned = defineEvent<{
  institution: string;
  reportId: string;
  patientId: string;
}>("reportSigned");
