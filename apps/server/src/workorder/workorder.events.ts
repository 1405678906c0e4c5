import { defineEvent } from "../platform/events/events.ts";

/** A work order of after-sales was made or moved; `action` is a row of its transition table. */
export const workorderTransitioned = defineEvent<{
  workorderId: string;
  number: string;
  action: string;
  to: string;
  by: string | null;
  /** The clinic's institution, if it has one. */
  institution: string | null;
  assignee: string | null;
  /** The assignee before this move. */
  before: string | null;
}>("workorderTransitioned");

/**
 * The work on a device was accepted: an installed device now belongs to the clinic, a moved one is at the clinic to
 * which it was moved. `deviceId` is null if the device was not registered before.
 */
export const workorderAccepted = defineEvent<{
  workorderId: string;
  type: "installation" | "moveMachine" | "repair";
  deviceId: string | null;
  device: { product: string; model: string; serialNumber: string };
  clinicId: string;
  by: string;
}>("workorderAccepted");
