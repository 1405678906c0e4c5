import type { Selectable } from "kysely";
import type { Condition, ImagingStudy, Observation, Patient, Reference } from "@medplum/fhirtypes";
import { findingCodes } from "@arcada/contract/chart/chart.schema";
import type { ChartTooth, Finding } from "@arcada/contract/chart/chart.schema";
import type { AnalysisTable, ObservationTable, ToothChartTable } from "../../tables/schema.generated.ts";
import { hl7Terminology, systems, toCodeableConcept } from "./fhir-datatypes.ts";
import type { FhirLinks } from "./fhir-datatypes.ts";

interface ChartOwner {
  patientId: string;
  subject: Reference<Patient>;
  links: FhirLinks;
}

/**
 * The current chart: the presence of each assessed tooth, and each finding that a person confirmed, one resource for
 * each tooth.
 */
export const toChartResources = (
  chart: Pick<Selectable<ToothChartTable>, "content" | "at">,
  owner: ChartOwner,
): (Observation | Condition)[] =>
  chart.content.teeth.flatMap((tooth) => [
    ...(tooth.presence === "unknown" ? [] : [toPresenceObservation(tooth, chart.at, owner)]),
    ...tooth.findings
      .filter(({ status }) => status === "accepted" || status === "added")
      .map((finding) => toFindingResource(tooth, finding, owner)),
  ]);

// FDI's two figures are ISO 3950.
const toBodySite = (fdi: number) => toCodeableConcept(systems.tooth, String(fdi));

const toPresenceObservation = (
  tooth: ChartTooth,
  at: string,
  { patientId, subject, links }: ChartOwner,
): Observation => ({
  resourceType: "Observation",
  id: links.partId(patientId, String(tooth.fdi)),
  status: tooth.confirmedBy ? "final" : "preliminary",
  code: toCodeableConcept("urn:arcada:tooth", "presence"),
  subject,
  effectiveDateTime: tooth.confirmedAt ?? at,
  bodySite: toBodySite(tooth.fdi),
  valueCodeableConcept: toCodeableConcept("urn:arcada:tooth-presence", tooth.presence),
});

function toFindingResource(
  tooth: ChartTooth,
  finding: Finding,
  { patientId, subject, links }: ChartOwner,
): Observation | Condition {
  const code = toCodeableConcept("urn:arcada:finding", finding.code);
  const common = {
    id: links.findingId(patientId, tooth.fdi, finding.id),
    subject,
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

export type AnalysisColumns = Pick<
  Selectable<AnalysisTable>,
  "id" | "created_at" | "engine_id" | "engine_version" | "study_id"
>;

/** An observation or measurement by an analysis engine; nobody has signed any of them. */
export const toEngineObservation = (
  one: Selectable<ObservationTable>,
  analysis: AnalysisColumns,
  { subject, links }: Pick<ChartOwner, "subject" | "links">,
): Observation => ({
  resourceType: "Observation",
  id: one.id,
  status: "preliminary",
  code: toCodeableConcept("urn:arcada:observation", one.code),
  subject,
  effectiveDateTime: analysis.created_at,
  method: { text: one.method },
  device: { display: `${analysis.engine_id} ${analysis.engine_version}` },
  derivedFrom: [links.refer<ImagingStudy>("ImagingStudy", analysis.study_id)],
  ...(one.target.kind === "tooth" && { bodySite: toBodySite(one.target.fdi) }),
  ...toFhirValue(one.value, one.unit),
});

function toFhirValue(value: unknown, unit: string | null): Partial<Observation> {
  if (typeof value === "number") return { valueQuantity: { value, ...(unit && { unit }) } };
  if (typeof value === "boolean") return { valueBoolean: value };
  if (typeof value === "string") return { valueString: value };
  return { dataAbsentReason: toCodeableConcept(`${hl7Terminology}/data-absent-reason`, "unknown") };
}
