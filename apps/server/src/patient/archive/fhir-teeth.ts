import { findingCodes } from "@arcada/contract/chart/chart.schema";
import type { ChartTooth, Finding } from "@arcada/contract/chart/chart.schema";
import type { PatientRows } from "./patient-archive.store.ts";
import {
  toCodeableConcept,
  deriveId,
  toReference,
  toSubject,
  hl7Terminology,
  type FhirResource,
} from "./fhir-datatypes.ts";

/**
 * The current chart: the presence of each assessed tooth, and each finding that a person confirmed, one resource for
 * each tooth.
 */
export function buildChartResources(rows: PatientRows): FhirResource[] {
  const chart = rows.tooth_chart.at(-1);
  if (!chart) return [];
  return chart.content.teeth.flatMap((tooth) => [
    ...(tooth.presence === "unknown" ? [] : [toPresenceObservation(tooth, chart.at, rows)]),
    ...tooth.findings
      .filter(({ status }) => status === "accepted" || status === "added")
      .map((finding) => toCondition(tooth, finding, rows)),
  ]);
}

// FDI's two figures are ISO 3950.
const toBodySite = (fdi: number) => toCodeableConcept("urn:iso:std:iso:3950", String(fdi));

const toPresenceObservation = (tooth: ChartTooth, at: string, rows: PatientRows): FhirResource => ({
  resourceType: "Observation",
  id: deriveId(`${rows.patient[0]!.id} ${tooth.fdi}`),
  status: tooth.confirmedBy ? "final" : "preliminary",
  code: toCodeableConcept("urn:arcada:tooth", "presence"),
  subject: toSubject(rows),
  effectiveDateTime: tooth.confirmedAt ?? at,
  bodySite: toBodySite(tooth.fdi),
  valueCodeableConcept: toCodeableConcept("urn:arcada:tooth-presence", tooth.presence),
});

function toCondition(tooth: ChartTooth, finding: Finding, rows: PatientRows): FhirResource {
  const code = toCodeableConcept("urn:arcada:finding", finding.code);
  const common = {
    id: finding.id,
    subject: toSubject(rows),
    ...(finding.remark && { note: [{ text: finding.remark }] }),
  };
  if (findingCodes[finding.code] !== "suspected")
    return {
      resourceType: "Observation",
      ...common,
      status: tooth.confirmedBy ? "final" : "preliminary",
      code,
      effectiveDateTime: finding.at,
      bodySite: toBodySite(tooth.fdi),
      valueBoolean: true,
    };
  return {
    resourceType: "Condition",
    ...common,
    clinicalStatus: toCodeableConcept(`${hl7Terminology}/condition-clinical`, "active"),
    verificationStatus: toCodeableConcept(
      `${hl7Terminology}/condition-ver-status`,
      tooth.confirmedBy ? "confirmed" : "provisional",
    ),
    category: [toCodeableConcept(`${hl7Terminology}/condition-category`, "problem-list-item")],
    code,
    bodySite: [toBodySite(tooth.fdi)],
    recordedDate: finding.at,
  };
}

/** Observations and measurements by analysis engines; nobody has signed any of them. */
export const buildObservationResources = (rows: PatientRows): FhirResource[] =>
  rows.observation.flatMap((one) => {
    const analysis = rows.analysis.find(({ id }) => id === one.analysis_id);
    if (!analysis) return [];
    return [
      {
        resourceType: "Observation",
        id: one.id,
        status: "preliminary",
        code: toCodeableConcept("urn:arcada:observation", one.code),
        subject: toSubject(rows),
        effectiveDateTime: analysis.created_at,
        method: { text: one.method },
        device: { display: `${analysis.engine_id} ${analysis.engine_version}` },
        derivedFrom: [toReference(analysis.study_id)],
        ...(one.target.kind === "tooth" && { bodySite: toBodySite(one.target.fdi) }),
        ...toFhirValue(one.value, one.unit),
      },
    ];
  });

function toFhirValue(value: unknown, unit: string | null): Record<string, unknown> {
  if (typeof value === "number") return { valueQuantity: { value, ...(unit && { unit }) } };
  if (typeof value === "boolean") return { valueBoolean: value };
  if (typeof value === "string") return { valueString: value };
  return { dataAbsentReason: toCodeableConcept(`${hl7Terminology}/data-absent-reason`, "unknown") };
}
