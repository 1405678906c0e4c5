import { defineEvent } from "../platform/events/events.ts";

/** A transition of a device; `device` is its name and serial number, `institution` has it or had it until now. */
export const deviceTransitioned = defineEvent<{
  deviceId: string;
  device: string;
  action: "bind" | "lock" | "unlock" | "unbind" | "forceUnbind";
  institution: string;
  by: string;
  reason: string | null;
}>("deviceTransitioned");
