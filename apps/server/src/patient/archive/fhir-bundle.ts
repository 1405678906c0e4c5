import type { Selectable } from "kysely";
import { consentKinds } from "@arcada/contract/consent/consent.calls";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import type { PatientField } from "@arcada/contract/patient/patient-field-definition";
import { columnOf, detailFields, patientFields } from "@arcada/contract/patient/patient-fields";
import { visitParts } from "@arcada/contract/visit/visit.calls";
import type { ConsentTable, VisitTable, ReportTable } from "../../tables/schema.generated.ts";
import type { PatientRows } from "./patient-archive.store.ts";
import {
  toCodeableConcept,
  deriveId,
  toReference,
  toSubject,
  hl7Terminology,
  type FhirResource,
} from "./fhir-datatypes.ts";
import { buildChartResources, buildObservationResources } from "./fhir-teeth.ts";

export interface FhirBundle {
  resourceType: "Bundle";
  type: "collection";
  timestamp: string;
  entry: { fullUrl: string; resource: FhirResource }[];
}

/** Returns one patient's data as a collection; references point within it. */
export function buildBundle(rows: PatientRows, now: Date, zone: string): FhirBundle {
  const resources = [
    toFhirPatient(rows),
    ...rows.institution.map(({ id, name, number }) => ({
      resourceType: "Organization",
      id,
      identifier: [{ system: "urn:arcada:organisation-number", value: number }],
      name,
    })),
    ...rows.people.map(({ id, name }) => ({ resourceType: "Practitioner", id, name: [{ text: name }] })),
    ...rows.study.map((study) => toImagingStudy(study, rows)),
    ...rows.visit.flatMap((visit) => toEncounterResources(visit, rows, zone)),
    ...buildChartResources(rows),
    ...buildObservationResources(rows),
    ...rows.report.map((report) => toDiagnosticReport(report, rows)),
    ...rows.consent.map((consent) => toFhirConsent(consent, rows)),
  ];
  return {
    resourceType: "Bundle",
    type: "collection",
    timestamp: now.toISOString(),
    entry: resources.map((resource) => ({ fullUrl: `urn:uuid:${resource.id}`, resource })),
  };
}

function toFhirPatient({ patient: [patient], institution: [institution] }: PatientRows): FhirResource {
  const { id, number, name, sex, birth_date } = patient!;
  const valuesOf = (element: PatientField["fhir"]): string[] =>
    detailFields
      .filter((field) => patientFields[field].fhir === element)
      .map((field) => patient![columnOf(field)])
      .flatMap((value) => (typeof value === "string" && value !== "" ? [value] : []));
  const telecom = (["phone", "email"] as const).flatMap((system) =>
    valuesOf(system).map((value) => ({ system, value })),
  );
  const addresses = valuesOf("address").map((text) => ({ text }));
  return {
    resourceType: "Patient",
    id,
    identifier: [
      { system: "urn:arcada:patient-number", value: number },
      ...valuesOf("identityNumber").map((value) => ({ system: "urn:arcada:identity-number", value })),
    ],
    name: [{ text: name }],
    gender: sex,
    ...(birth_date && { birthDate: birth_date }),
    ...(telecom.length > 0 && { telecom }),
    ...(addresses.length > 0 && { address: addresses }),
    ...(institution && { managingOrganization: toReference(institution.id, institution.name) }),
  };
}

function toImagingStudy(study: PatientRows["study"][number], rows: PatientRows): FhirResource {
  const own = rows.series.filter(({ study_id }) => study_id === study.id);
  const series = own.flatMap(({ uid, modality, description }) =>
    uid && modality ? [{ uid, modality: dicomCode(modality), ...(description && { description }) }] : [],
  );
  return {
    resourceType: "ImagingStudy",
    id: study.id,
    status: study.deleted_at === null ? "available" : "cancelled",
    ...(study.uid && { identifier: [{ system: "urn:dicom:uid", value: `urn:oid:${study.uid}` }] }),
    subject: toSubject(rows),
    // The device's local time has no time zone: its day is certain, its hour is not.
    ...(study.taken_at && { started: study.taken_at.slice(0, 10) }),
    ...(study.modality && { modality: [dicomCode(study.modality)] }),
    numberOfSeries: own.length,
    numberOfInstances: study.count,
    ...(study.description && { description: study.description }),
    ...(series.length > 0 && { series }),
  };
}
const dicomCode = (code: string) => ({ system: "http://dicom.nema.org/resources/ontology/DCM", code });

/** The visit itself, its notes, and its diagnosis as a condition. */
function toEncounterResources(visit: Selectable<VisitTable>, rows: PatientRows, zone: string): FhirResource[] {
  const { id, at, content } = visit;
  const status = visit.deleted_at === null ? "finished" : "entered-in-error";
  const dentist = toReference(visit.dentist_id, rows.people.find((one) => one.id === visit.dentist_id)?.name);
  const diagnosis: FhirResource[] = content.diagnosis
    ? [
        {
          resourceType: "Condition",
          id: deriveId(`${id} diagnosis`),
          clinicalStatus: toCodeableConcept(`${hl7Terminology}/condition-clinical`, "active"),
          verificationStatus: toCodeableConcept(`${hl7Terminology}/condition-ver-status`, "confirmed"),
          category: [toCodeableConcept(`${hl7Terminology}/condition-category`, "encounter-diagnosis")],
          code: { text: content.diagnosis },
          subject: toSubject(rows),
          encounter: toReference(id),
          recordedDate: at,
        },
      ]
    : [];
  const encounter: FhirResource = {
    resourceType: "Encounter",
    id,
    status,
    class: { system: `${hl7Terminology}/v3-ActCode`, code: "AMB" },
    subject: toSubject(rows),
    participant: [{ individual: dentist }],
    period: { start: at },
    ...(content.complaint && { reasonCode: [{ text: content.complaint }] }),
    ...(diagnosis.length > 0 && { diagnosis: diagnosis.map((one) => ({ condition: toReference(one.id) })) }),
  };
  return [encounter, ...diagnosis, toComposition(visit, rows, dentist, zone)];
}

function toComposition(visit: Selectable<VisitTable>, rows: PatientRows, dentist: object, zone: string): FhirResource {
  const { id, at, content } = visit;
  const marks = content.marks.map(({ fdi, remark }) => `${fdi}: ${remark}`).join("\n");
  const parts = [...visitParts.map((part) => [part, content[part]] as const), ["teeth", marks] as const];
  return {
    resourceType: "Composition",
    id: deriveId(`${id} note`),
    status: visit.deleted_at === null ? "final" : "entered-in-error",
    type: toCodeableConcept("http://loinc.org", "11506-3", "Progress note"),
    subject: toSubject(rows),
    encounter: toReference(id),
    date: at,
    author: [dentist],
    title: `Visit ${localDayIn(zone, at)}`,
    section: parts
      .filter(([, text]) => text !== "")
      .map(([title, text]) => ({ title, text: { status: "generated", div: toNarrative(text) } })),
  };
}
const toNarrative = (text: string): string =>
  `<div xmlns="http://www.w3.org/1999/xhtml">${text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\n", "<br/>")}</div>`;

const reportStatus: Record<ReportTable["state"], string> = {
  draft: "preliminary",
  in_review: "preliminary",
  signed: "final",
  amended: "amended",
  withdrawn: "entered-in-error",
};
function toDiagnosticReport(report: Selectable<ReportTable>, rows: PatientRows): FhirResource {
  const { id, number, signed_by, signed_at, form, created_at } = report;
  return {
    resourceType: "DiagnosticReport",
    id,
    identifier: [{ system: "urn:arcada:report-number", value: number }],
    status: reportStatus[report.state],
    code: { text: "Dental health report" },
    subject: toSubject(rows),
    effectiveDateTime: signed_at ?? created_at,
    ...(signed_at && { issued: signed_at }),
    ...(signed_by && { resultsInterpreter: [toReference(signed_by)] }),
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
function toFhirConsent(consent: Selectable<ConsentTable>, rows: PatientRows): FhirResource {
  const { id, kind, text_version, given_at, given_by, scan_name, withdrawn_at } = consent;
  return {
    resourceType: "Consent",
    id,
    status: withdrawn_at === null ? "active" : "inactive",
    scope: toCodeableConcept(`${hl7Terminology}/consentscope`, scopes[kind]),
    category: [toCodeableConcept("urn:arcada:consent-kind", kind)],
    patient: toSubject(rows),
    dateTime: given_at,
    performer: [{ display: given_by }],
    policyRule: { text: `${kind} ${text_version}` },
    ...(scan_name && { sourceAttachment: { title: scan_name } }),
  };
}
