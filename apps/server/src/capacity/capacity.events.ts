import { defineEvent } from "../platform/events/events.ts";

/** The kinds of news about capacity for clinic admins or for those who run the platform. */
export type CapacityNews = "begun" | "unsubscribed" | "renewal" | "ending" | "ended" | "asked" | "declined";

/** Capacity of a clinic began, ends or is requested; `until` is a day. */
export const capacityChanged = defineEvent<{
  what: CapacityNews;
  institution: string;
  institutionName: string;
  gigabytes: number;
  analyses: number;
  until: string;
  by: string | null;
}>("capacityChanged");
