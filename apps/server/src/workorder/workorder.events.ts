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

/** An appointment at a clinic, for those who have to know it. */
export interface Appointment {
  workorderId: string;
  number: string;
  at: string;
  /** The zone of the clinic, for a reader who works in no organisation. */
  zone: string;
  clinic: string;
  /** Null if the clinic's record has no address. */
  address: string | null;
  /** The clinic's institution, if it has one. */
  institution: string | null;
  assignee: string | null;
}

/** Somebody planned, moved or cancelled an appointment. `at` of a cancelled one is the time that no longer holds. */
export const appointmentChanged = defineEvent<Appointment & { change: "planned" | "moved" | "cancelled"; by: string }>(
  "appointmentChanged",
);

/** An appointment is on the next day. */
export const appointmentApproaching = defineEvent<Appointment>("appointmentApproaching");
