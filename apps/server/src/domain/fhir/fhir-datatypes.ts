import { createHash } from "node:crypto";
import type { CodeableConcept, Reference, Resource } from "@medplum/fhirtypes";

export const hl7Terminology = "http://terminology.hl7.org/CodeSystem";

/** Our own systems: stable names, not addresses. */
export const systems = {
  orderNumber: "urn:arcada:order-number",
  sourceOrder: "urn:arcada:source-order-number",
  patientNumber: "urn:arcada:patient-number",
  identityNumber: "urn:arcada:identity-number",
  entryNumber: "urn:arcada:entry-number",
  reportNumber: "urn:arcada:report-number",
  organisationNumber: "urn:arcada:organisation-number",
  organisationType: "urn:arcada:organisation-type",
  orderState: "urn:arcada:order-state",
  orderAction: "urn:arcada:order-action",
  caseType: "urn:arcada:case-type",
  workKind: "urn:arcada:work-kind",
  itemKind: "urn:arcada:item-kind",
  documentKind: "urn:arcada:document-kind",
  // FDI's two digits are ISO 3950; R4's own list of them is given as well
  // (http://hl7.org/fhir/R4/codesystem-tooth.html).
  tooth: "urn:iso:std:iso:3950",
  exampleTooth: `${hl7Terminology}/ex-tooth`,
  taskCode: "http://hl7.org/fhir/CodeSystem/task-code",
  taskStatus: "http://hl7.org/fhir/task-status",
  dicomModality: "http://dicom.nema.org/resources/ontology/DCM",
  dicomUid: "urn:dicom:uid",
} as const;

/** The names by which resources refer to each other: addresses of the server, or those within one bundle. */
export interface FhirLinks {
  refer<T extends Resource>(type: T["resourceType"], id: string, display?: string): Reference<T>;
  /** Returns the id of a resource that is a part of a record and has no row of its own. */
  partId(owner: string, part: string): string;
  findingId(patientId: string, fdi: number, findingId: string): string;
}

/** Within the bundle of an archive, every id is a UUID. */
export const archiveLinks: FhirLinks = {
  refer: (_, id, display) => ({ reference: `urn:uuid:${id}`, ...(display && { display }) }),
  partId: (owner, part) => deriveId(`${owner} ${part}`),
  findingId: (_, __, id) => id,
};

/** An id of the server leads back to the record: it begins with the record's own (at most 64 characters in R4). */
export const serverLinks: FhirLinks = {
  refer: (type, id, display) => ({ reference: `${type}/${id}`, type, ...(display && { display }) }),
  partId: (owner, part) => `${owner}.${part}`,
  findingId: (patientId, fdi, id) => `${patientId}.${fdi}.${id.slice(-12)}`,
};

export const toCodeableConcept = (system: string, code: string, text?: string): CodeableConcept => ({
  coding: [{ system, code }],
  ...(text && { text }),
});

/** Returns the same id for the same words each time (RFC 9562, version 8). */
function deriveId(words: string): string {
  const hex = createHash("sha256").update(words).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
