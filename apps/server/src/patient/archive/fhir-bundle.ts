import type { Bundle, Patient, Practitioner, Resource } from "@medplum/fhirtypes";
import { archiveLinks, systems } from "../../domain/fhir/fhir-datatypes.ts";
import { toImagingStudy } from "../../domain/fhir/imaging-study-resource.ts";
import { toFhirPatient } from "../../domain/fhir/patient-resource.ts";
import { toDiagnosticReport, toFhirConsent } from "../../domain/fhir/report-and-consent-resources.ts";
import { toChartResources, toEngineObservation } from "../../domain/fhir/tooth-resources.ts";
import { toComposition, toEncounter, toVisitCondition } from "../../domain/fhir/visit-resources.ts";
import type { PatientRows } from "./patient-archive.store.ts";

const links = archiveLinks;
type IdentifiedResource = Resource & { id?: string };

/** Returns one patient's data as a collection; references point within it. */
export function buildBundle(rows: PatientRows, now: Date, zone: string): Bundle {
  const patient = rows.patient[0]!;
  const subject = links.refer<Patient>("Patient", patient.id, patient.name);
  const resources: IdentifiedResource[] = [
    toFhirPatient(patient, rows.institution[0], links),
    ...rows.institution.map(({ id, name, number }): IdentifiedResource => ({
      resourceType: "Organization",
      id,
      identifier: [{ system: systems.organisationNumber, value: number }],
      name,
    })),
    ...rows.people.map(({ id, name }): IdentifiedResource => ({
      resourceType: "Practitioner",
      id,
      name: [{ text: name }],
    })),
    ...rows.study.map((study) =>
      toImagingStudy(
        study,
        rows.series.filter(({ study_id }) => study_id === study.id),
        subject,
      ),
    ),
    ...rows.visit.flatMap((visit): IdentifiedResource[] => {
      const name = rows.people.find((one) => one.id === visit.dentist_id)?.name;
      const dentist = links.refer<Practitioner>("Practitioner", visit.dentist_id, name);
      const references = { subject, dentist, links };
      const diagnosis = toVisitCondition(visit, references);
      return [
        toEncounter(visit, references),
        ...(diagnosis ? [diagnosis] : []),
        toComposition(visit, references, zone),
      ];
    }),
    ...rows.tooth_chart
      .slice(-1)
      .flatMap((chart) => toChartResources(chart, { patientId: patient.id, subject, links })),
    ...rows.observation.flatMap((one) => {
      const analysis = rows.analysis.find(({ id }) => id === one.analysis_id);
      return analysis ? [toEngineObservation(one, analysis, { subject, links })] : [];
    }),
    ...rows.report.map((report) => toDiagnosticReport(report, subject, links)),
    ...rows.consent.map((consent) => toFhirConsent(consent, subject)),
  ];
  return {
    resourceType: "Bundle",
    type: "collection",
    timestamp: now.toISOString(),
    entry: resources.map((resource) => ({ fullUrl: `urn:uuid:${resource.id}`, resource })),
  };
}
