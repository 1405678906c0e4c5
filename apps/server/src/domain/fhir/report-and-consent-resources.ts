import type { Selectable } from "kysely";
import type { Consent, DiagnosticReport, Patient, Practitioner, Reference } from "@medplum/fhirtypes";
import type { consentKinds } from "@arcada/contract/consent/consent.calls";
import type { ConsentTable, ReportTable } from "../../tables/schema.generated.ts";
import { hl7Terminology, systems, toCodeableConcept } from "./fhir-datatypes.ts";
import type { FhirLinks } from "./fhir-datatypes.ts";

export const reportStatus: Record<ReportTable["state"], NonNullable<DiagnosticReport["status"]>> = {
  draft: "preliminary",
  in_review: "preliminary",
  signed: "final",
  amended: "amended",
  withdrawn: "entered-in-error",
};

export function toDiagnosticReport(
  report: Selectable<ReportTable>,
  subject: Reference<Patient>,
  links: FhirLinks,
): DiagnosticReport {
  const { id, number, signed_by, signed_at, form, created_at } = report;
  return {
    resourceType: "DiagnosticReport",
    id,
    identifier: [{ system: systems.reportNumber, value: number }],
    status: reportStatus[report.state],
    code: { text: "Dental health report" },
    subject,
    effectiveDateTime: signed_at ?? created_at,
    ...(signed_at && { issued: signed_at }),
    ...(signed_by && { resultsInterpreter: [links.refer<Practitioner>("Practitioner", signed_by)] }),
    ...(form.diagnosis && { conclusion: form.diagnosis }),
  };
}

const scopes: Record<(typeof consentKinds)[number], string> = {
  treatment: "treatment",
  imaging: "treatment",
  dataUse: "patient-privacy",
  sharing: "patient-privacy",
  training: "research",
};

export function toFhirConsent(consent: Selectable<ConsentTable>, patient: Reference<Patient>): Consent {
  const { id, kind, text_version, given_at, given_by, scan_name, withdrawn_at } = consent;
  return {
    resourceType: "Consent",
    id,
    status: withdrawn_at === null ? "active" : "inactive",
    scope: toCodeableConcept(`${hl7Terminology}/consentscope`, scopes[kind]),
    category: [toCodeableConcept("urn:arcada:consent-kind", kind)],
    patient,
    dateTime: given_at,
    performer: [{ display: given_by }],
    policyRule: { text: `${kind} ${text_version}` },
    ...(scan_name && { sourceAttachment: { title: scan_name } }),
  };
}
