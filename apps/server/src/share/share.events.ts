import { defineEvent } from "../platform/events/events.ts";

/** A link was opened for the first time, locked itself or expired; `user` made it. */
export const shareTransitioned = defineEvent<{
  action: "open" | "lock" | "lapse";
  label: string;
  institution: string;
  user: string;
}>("shareTransitioned");
