import type { Selectable } from "kysely";
import { consentKinds } from "@arcada/contract/consent/consent.calls";
import { dayIn } from "@arcada/contract/kernel/time-zone";
import { visitParts } from "@arcada/contract/visit/visit.calls";
import type { ConsentTable, VisitTable } from "../tables/record.ts";
import type { ReportTable } from "../tables/report.ts";
import type { PatientRows } from "./archive.store.ts";
import { coded, namedId, refer, subjectOf, terminology, type Resource } from "./fhir.parts.ts";
import { chartResources, observationResources } from "./fhir.teeth.ts";

export interface Bundle {
  resourceType: "Bundle";
  type: "collection";
  timestamp: string;
  entry: { fullUrl: string; resource: Resource }[];
}

/** Returns one patient's data as a collection; references point within it. */
export function bundleOf(rows: PatientRows, now: Date, zone: string): Bundle {
  const resources = [
    patientOf(rows),
    ...rows.institution.map(({ id, name, number }) => ({
      resourceType: "Organization",
      id,
      identifier: [{ system: "urn:arcada:organisation-number", value: number }],
      name,
    })),
    ...rows.people.map(({ id, name }) => ({ resourceType: "Practitioner", id, name: [{ text: name }] })),
    ...rows.study.map((study) => imagingOf(study, rows)),
    ...rows.visit.flatMap((visit) => visitOf(visit, rows, zone)),
    ...chartResources(rows),
    ...observationResources(rows),
    ...rows.report.map((report) => reportOf(report, rows)),
    ...rows.consent.map((consent) => consentOf(consent, rows)),
  ];
  return {
    resourceType: "Bundle",
    type: "collection",
    timestamp: now.toISOString(),
    entry: resources.map((resource) => ({ fullUrl: `urn:uuid:${resource.id}`, resource })),
  };
}

function patientOf({ patient: [patient], institution: [house] }: PatientRows): Resource {
  const { id, number, name, sex, birth_date, phone, fixed_line, email, mail_address, id_number } = patient!;
  const telecom = [
    ...[phone, fixed_line].flatMap((value) => (value ? [{ system: "phone", value }] : [])),
    ...(email ? [{ system: "email", value: email }] : []),
  ];
  return {
    resourceType: "Patient",
    id,
    identifier: [
      { system: "urn:arcada:patient-number", value: number },
      ...(id_number ? [{ system: "urn:arcada:identity-number", value: id_number }] : []),
    ],
    name: [{ text: name }],
    gender: sex,
    ...(birth_date && { birthDate: birth_date }),
    ...(telecom.length > 0 && { telecom }),
    ...(mail_address && { address: [{ text: mail_address }] }),
    ...(house && { managingOrganization: refer(house.id, house.name) }),
  };
}

function imagingOf(study: PatientRows["study"][number], rows: PatientRows): Resource {
  const own = rows.series.filter(({ study_id }) => study_id === study.id);
  const series = own.flatMap(({ uid, modality, description }) =>
    uid && modality ? [{ uid, modality: dicomCode(modality), ...(description && { description }) }] : [],
  );
  return {
    resourceType: "ImagingStudy",
    id: study.id,
    status: study.deleted_at === null ? "available" : "cancelled",
    ...(study.uid && { identifier: [{ system: "urn:dicom:uid", value: `urn:oid:${study.uid}` }] }),
    subject: subjectOf(rows),
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

/** The visit itself, what was written of it, and its diagnosis as a condition. */
function visitOf(visit: Selectable<VisitTable>, rows: PatientRows, zone: string): Resource[] {
  const { id, at, content } = visit;
  const status = visit.deleted_at === null ? "finished" : "entered-in-error";
  const dentist = refer(visit.dentist_id, rows.people.find((one) => one.id === visit.dentist_id)?.name);
  const diagnosis: Resource[] = content.diagnosis
    ? [
        {
          resourceType: "Condition",
          id: namedId(`${id} diagnosis`),
          clinicalStatus: coded(`${terminology}/condition-clinical`, "active"),
          verificationStatus: coded(`${terminology}/condition-ver-status`, "confirmed"),
          category: [coded(`${terminology}/condition-category`, "encounter-diagnosis")],
          code: { text: content.diagnosis },
          subject: subjectOf(rows),
          encounter: refer(id),
          recordedDate: at,
        },
      ]
    : [];
  const encounter: Resource = {
    resourceType: "Encounter",
    id,
    status,
    class: { system: `${terminology}/v3-ActCode`, code: "AMB" },
    subject: subjectOf(rows),
    participant: [{ individual: dentist }],
    period: { start: at },
    ...(content.complaint && { reasonCode: [{ text: content.complaint }] }),
    ...(diagnosis.length > 0 && { diagnosis: diagnosis.map((one) => ({ condition: refer(one.id) })) }),
  };
  return [encounter, ...diagnosis, noteOf(visit, rows, dentist, zone)];
}

function noteOf(visit: Selectable<VisitTable>, rows: PatientRows, dentist: object, zone: string): Resource {
  const { id, at, content } = visit;
  const marks = content.marks.map(({ fdi, remark }) => `${fdi}: ${remark}`).join("\n");
  const parts = [...visitParts.map((part) => [part, content[part]] as const), ["teeth", marks] as const];
  return {
    resourceType: "Composition",
    id: namedId(`${id} note`),
    status: visit.deleted_at === null ? "final" : "entered-in-error",
    type: coded("http://loinc.org", "11506-3", "Progress note"),
    subject: subjectOf(rows),
    encounter: refer(id),
    date: at,
    author: [dentist],
    title: `Visit ${dayIn(zone, at)}`,
    section: parts
      .filter(([, said]) => said !== "")
      .map(([title, said]) => ({ title, text: { status: "generated", div: narrative(said) } })),
  };
}
const narrative = (said: string): string =>
  `<div xmlns="http://www.w3.org/1999/xhtml">${said
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
function reportOf(report: Selectable<ReportTable>, rows: PatientRows): Resource {
  const { id, number, signed_by, signed_at, form, created_at } = report;
  return {
    resourceType: "DiagnosticReport",
    id,
    identifier: [{ system: "urn:arcada:report-number", value: number }],
    status: reportStatus[report.state],
    code: { text: "Dental health report" },
    subject: subjectOf(rows),
    effectiveDateTime: signed_at ?? created_at,
    ...(signed_at && { issued: signed_at }),
    ...(signed_by && { resultsInterpreter: [refer(signed_by)] }),
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
function consentOf(consent: Selectable<ConsentTable>, rows: PatientRows): Resource {
  const { id, kind, text_version, given_at, given_by, scan_name, withdrawn_at } = consent;
  return {
    resourceType: "Consent",
    id,
    status: withdrawn_at === null ? "active" : "inactive",
    scope: coded(`${terminology}/consentscope`, scopes[kind]),
    category: [coded("urn:arcada:consent-kind", kind)],
    patient: subjectOf(rows),
    dateTime: given_at,
    performer: [{ display: given_by }],
    policyRule: { text: `${kind} ${text_version}` },
    ...(scan_name && { sourceAttachment: { title: scan_name } }),
  };
}
