import { sql } from "kysely";
import { clinicRoles } from "@arcada/contract/kernel/roles";
import type { DiagnosticReport, Patient, Practitioner } from "@medplum/fhirtypes";
import { serverLinks, systems } from "../../domain/fhir/fhir-datatypes.ts";
import { reportStatus, toDiagnosticReport } from "../../domain/fhir/report-and-consent-resources.ts";
import { toEncounter } from "../../domain/fhir/visit-resources.ts";
import type { FhirReader } from "../fhir-context.ts";
import type { TableDefinition } from "../resource-definition.ts";
import {
  codeParameter,
  dateParameter,
  idParameter,
  referenceParameter,
  tokenParameter,
} from "../search/search-parameters.ts";
import { listReportPapers } from "./document-reference.ts";
import { chainedPatientParameters } from "./patient.ts";
import { patientInclusion } from "./inclusions.ts";
import { readNames } from "./read-names.ts";

const patientParameter = referenceParameter("The patient", "Patient", sql`r.patient_id`);
const ofLivingPatient = ({ iid }: FhirReader) => sql`r.institution_id = ${iid} and p.institution_id = ${iid}`;
const access = { roles: clinicRoles, scopes: ["records.read"] } as const;

const encounterSubject = patientInclusion((resource) =>
  resource.resourceType === "Encounter" ? resource.subject : undefined,
);
export const encounterDefinition: TableDefinition = {
  kind: "table",
  type: "Encounter",
  description: "A visit of a patient",
  access,
  audit: { search: "visit.read", read: "visit.read" },
  auditsPatients: true,
  from: sql`visit r join patient_living p on p.id = r.patient_id`,
  visible: (reader) => sql`${ofLivingPatient(reader)} and r.deleted_at is null`,
  ofPatient: (patientId) => sql`r.patient_id = ${patientId}`,
  parameters: {
    _id: idParameter(sql`r.id`),
    _lastUpdated: dateParameter("The time of the last change", sql`r.changed_at`),
    patient: patientParameter,
    subject: patientParameter,
    ...chainedPatientParameters(sql`r.patient_id`),
    date: dateParameter("The time of the visit", sql`r.at`),
    status: codeParameter("finished", "http://hl7.org/fhir/encounter-status", (code) =>
      code === "finished" ? sql`true` : null,
    ),
    participant: referenceParameter("The dentist", "Practitioner", sql`r.dentist_id`),
    practitioner: referenceParameter("The dentist", "Practitioner", sql`r.dentist_id`),
  },
  sorts: {
    date: { column: sql`r.at`, type: "instant" },
    _lastUpdated: { column: sql`r.changed_at`, type: "instant" },
  },
  usualSort: "-date",
  includes: { patient: encounterSubject, subject: encounterSubject },
  isVersioned: true,
  load: async ({ db, iid }, ids) => {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom("visit")
      .selectAll()
      .where("institution_id", "=", iid)
      .where("id", "in", [...ids])
      .execute();
    const names = await readNames(db, iid, rows, (row) => row.dentist_id);
    return rows.map((row) => ({
      ...toEncounter(row, {
        subject: serverLinks.refer<Patient>("Patient", row.patient_id, names.patients.get(row.patient_id)),
        dentist: serverLinks.refer<Practitioner>("Practitioner", row.dentist_id, names.people.get(row.dentist_id)),
        links: serverLinks,
      }),
      meta: { versionId: String(row.version), lastUpdated: row.changed_at },
    }));
  },
};

const reportSubject = patientInclusion((resource) =>
  resource.resourceType === "DiagnosticReport" ? resource.subject : undefined,
);
const reportChanged = sql`greatest(r.saved_at, r.signed_at, r.ended_at)`;
const reportDate = sql`coalesce(r.signed_at, r.created_at)`;

export const diagnosticReportDefinition: TableDefinition = {
  kind: "table",
  type: "DiagnosticReport",
  description: "A dental health report, with its documents",
  access,
  audit: { search: "report.read", read: "report.read" },
  auditsPatients: true,
  from: sql`report r join patient_living p on p.id = r.patient_id`,
  visible: ofLivingPatient,
  ofPatient: (patientId) => sql`r.patient_id = ${patientId}`,
  parameters: {
    _id: idParameter(sql`r.id`),
    _lastUpdated: dateParameter("The time of the last change", reportChanged),
    identifier: tokenParameter("The report's number", [{ system: systems.reportNumber, column: sql`r.number` }]),
    patient: patientParameter,
    subject: patientParameter,
    ...chainedPatientParameters(sql`r.patient_id`),
    date: dateParameter("The time of the signature, or of the draft", reportDate),
    issued: dateParameter("The time of the signature", sql`r.signed_at`),
    status: codeParameter("States of DiagnosticReport", "http://hl7.org/fhir/diagnostic-report-status", (code) => {
      const states = Object.entries(reportStatus).flatMap(([state, status]) => (status === code ? [state] : []));
      return states.length > 0 ? sql`r.state = any(${states}::text[])` : null;
    }),
  },
  sorts: {
    date: { column: reportDate, type: "instant" },
    _lastUpdated: { column: reportChanged, type: "instant" },
  },
  usualSort: "-date",
  includes: { patient: reportSubject, subject: reportSubject },
  isVersioned: true,
  load: async ({ db, iid, base }, ids) => {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom("report")
      .selectAll()
      .where("institution_id", "=", iid)
      .where("id", "in", [...ids])
      .execute();
    const names = await readNames(db, iid, rows, (row) => row.signed_by);
    const papers = await listReportPapers(db, iid, ids);
    return rows.map((row): DiagnosticReport => {
      const forms = papers
        .filter(({ report_id }) => report_id === row.id)
        .map(({ language, bytes }) => ({
          contentType: "application/pdf",
          language,
          url: `${base}/Binary/${row.id}.${language}`,
          size: bytes,
          title: `${row.number} ${language}.pdf`,
        }));
      const subject = serverLinks.refer<Patient>("Patient", row.patient_id, names.patients.get(row.patient_id));
      const changes = [row.saved_at, row.signed_at ?? "", row.ended_at ?? ""].toSorted();
      return {
        ...toDiagnosticReport(row, subject, serverLinks),
        meta: { versionId: String(row.version), lastUpdated: changes.at(-1) ?? row.saved_at },
        ...(forms.length > 0 && { presentedForm: forms }),
      };
    });
  },
};
