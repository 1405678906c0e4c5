import { createHash } from "node:crypto";
import type { PatientRows } from "./patient-archive.store.ts";

/** A resource of HL7 FHIR R4 (4.0.1); a test checks its required fields. */
export interface FhirResource {
  resourceType: string;
  id: string;
  [field: string]: unknown;
}

export const hl7Terminology = "http://terminology.hl7.org/CodeSystem";
export const toReference = (id: string, display?: string) => ({
  reference: `urn:uuid:${id}`,
  ...(display && { display }),
});
export const toCodeableConcept = (system: string, code: string, text?: string) => ({
  coding: [{ system, code }],
  ...(text && { text }),
});
export const toSubject = ({ patient: [patient] }: PatientRows) => toReference(patient!.id, patient!.name);

/** Returns the same id for the same words each time (RFC 9562, version 8). */
export function deriveId(words: string): string {
  const hex = createHash("sha256").update(words).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
