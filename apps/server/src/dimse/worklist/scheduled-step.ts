import { createHash } from "node:crypto";
import type { WorklistEntry } from "@arcada/contract/device/device.calls";

/** A patient for whom images are scheduled at one device, as the work list describes it to that device. */
export interface ScheduledStep {
  patientName: string;
  patientNumber: string;
  birthDate: string;
  sex: string;
  accessionNumber: string;
  study: string;
  procedureId: string;
  procedure: string;
  modality: string;
  station: string;
  date: string;
  time: string;
  stepDescription: string;
  stepId: string;
}
export interface ScheduledStation {
  title: string;
  modality: string;
}

/**
 * Arcada schedules for a clinic and not for one of its devices: each device receives the entry with its own title and
 * modality.
 */
export const toScheduledStep = (entry: WorklistEntry, { title, modality }: ScheduledStation): ScheduledStep => ({
  patientName: entry.patientName,
  patientNumber: entry.patientNumber,
  birthDate: entry.birthDate,
  sex: entry.sex,
  accessionNumber: entry.accessionNumber,
  study: deriveStudyUid(entry, modality),
  procedureId: entry.procedureId,
  procedure: entry.description,
  modality,
  station: title,
  date: entry.scheduledDate,
  // PS3.4 table K.6-1: a step has a time.
  time: entry.scheduledTime || "000000",
  stepDescription: entry.description,
  stepId: entry.procedureId,
});

/**
 * The images of a patient of one day and modality are one study, whichever device asks, and however often (PS3.5 B.2: a
 * UUID as a UID).
 */
function deriveStudyUid({ patientId, scheduledDate, accessionNumber }: WorklistEntry, modality: string): string {
  const hash = createHash("sha256").update([patientId, scheduledDate, accessionNumber, modality].join("\n")).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return `2.25.${BigInt(`0x${hash.toString("hex", 0, 16)}`)}`;
}
