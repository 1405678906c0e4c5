import { defineEvent } from "../platform/events/events.ts";

export const studyReady = defineEvent<{
  studyId: string;
  patientId: string;
  /** The upload with which it came. */
  job: string | null;
  institution: string;
  user: string;
  kind: string;
  again: boolean;
  /** True if a device or a program sent it, not a person. */
  sent: boolean;
}>("studyReady");

/** A person moved a study from one patient, or from the inbox, to another patient. */
export const studyMoved = defineEvent<{ institution: string; studyId: string; from: string | null }>("studyMoved");

/** A study that was sent waits in the inbox: its files do not identify the patient with certainty. */
export const studyWaiting = defineEvent<{
  institution: string;
  kind: string;
}>("studyWaiting");
