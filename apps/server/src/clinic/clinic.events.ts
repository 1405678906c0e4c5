import { defineEvent } from "../platform/events/events.ts";

/** After-sales sets the clinic at which a registered device is installed. */
export const deviceInstalled = defineEvent<{
  deviceId: string;
  clinicId: string;
  by: string;
}>("deviceInstalled");

/**
 * Two records described one clinic: references to `from` have to refer to `to`, which is the institution's record.
 */
export const clinicsMerged = defineEvent<{
  from: string;
  to: string;
  institution: string;
}>("clinicsMerged");

/**
 * A record is separated from that of an institution, with which it had been joined by mistake: these have to refer to
 * `to` again; `destinations` are work orders by which a machine is moved there.
 */
export const clinicsSeparated = defineEvent<{
  from: string;
  to: string;
  institution: string;
  devices: string[];
  workorders: string[];
  destinations: string[];
  feedback: string[];
}>("clinicsSeparated");
