import { findingCodes } from "@arcada/contract/chart/chart.shape";
import type { ChartTooth, Finding } from "@arcada/contract/chart/chart.shape";
import type { PatientRows } from "./archive.store.ts";
import { coded, namedId, refer, subjectOf, terminology, type Resource } from "./fhir.parts.ts";

/**
 * The current chart: the presence of each assessed tooth, and each finding that a person confirmed, one resource for
 * each tooth.
 */
export function chartResources(rows: PatientRows): Resource[] {
  const chart = rows.tooth_chart.at(-1);
  if (!chart) return [];
  return chart.content.teeth.flatMap((tooth) => [
    ...(tooth.presence === "unknown" ? [] : [presenceOf(tooth, chart.at, rows)]),
    ...tooth.findings
      .filter(({ status }) => status === "accepted" || status === "added")
      .map((finding) => findingOf(tooth, finding, rows)),
  ]);
}

// FDI's two figures are ISO 3950.
const site = (fdi: number) => coded("urn:iso:std:iso:3950", String(fdi));

const presenceOf = (tooth: ChartTooth, at: string, rows: PatientRows): Resource => ({
  resourceType: "Observation",
  id: namedId(`${rows.patient[0]!.id} ${tooth.fdi}`),
  status: tooth.confirmedBy ? "final" : "preliminary",
  code: coded("urn:arcada:tooth", "presence"),
  subject: subjectOf(rows),
  effectiveDateTime: tooth.confirmedAt ?? at,
  bodySite: site(tooth.fdi),
  valueCodeableConcept: coded("urn:arcada:tooth-presence", tooth.presence),
});

function findingOf(tooth: ChartTooth, finding: Finding, rows: PatientRows): Resource {
  const code = coded("urn:arcada:finding", finding.code);
  const common = {
    id: finding.id,
    subject: subjectOf(rows),
    ...(finding.remark && { note: [{ text: finding.remark }] }),
  };
  if (findingCodes[finding.code] !== "suspected")
    return {
      resourceType: "Observation",
      ...common,
      status: tooth.confirmedBy ? "final" : "preliminary",
      code,
      effectiveDateTime: finding.at,
      bodySite: site(tooth.fdi),
      valueBoolean: true,
    };
  return {
    resourceType: "Condition",
    ...common,
    clinicalStatus: coded(`${terminology}/condition-clinical`, "active"),
    verificationStatus: coded(`${terminology}/condition-ver-status`, tooth.confirmedBy ? "confirmed" : "provisional"),
    category: [coded(`${terminology}/condition-category`, "problem-list-item")],
    code,
    bodySite: [site(tooth.fdi)],
    recordedDate: finding.at,
  };
}

/** Observations and measurements by analysis engines; nobody has signed any of them. */
export const observationResources = (rows: PatientRows): Resource[] =>
  rows.observation.flatMap((one) => {
    const analysis = rows.analysis.find(({ id }) => id === one.analysis_id);
    if (!analysis) return [];
    return [
      {
        resourceType: "Observation",
        id: one.id,
        status: "preliminary",
        code: coded("urn:arcada:observation", one.code),
        subject: subjectOf(rows),
        effectiveDateTime: analysis.created_at,
        method: { text: one.method },
        device: { display: `${analysis.engine_id} ${analysis.engine_version}` },
        derivedFrom: [refer(analysis.study_id)],
        ...(one.target.kind === "tooth" && { bodySite: site(one.target.fdi) }),
        ...valueOf(one.value, one.unit),
      },
    ];
  });

function valueOf(value: unknown, unit: string | null): Record<string, unknown> {
  if (typeof value === "number") return { valueQuantity: { value, ...(unit && { unit }) } };
  if (typeof value === "boolean") return { valueBoolean: value };
  if (typeof value === "string") return { valueString: value };
  return { dataAbsentReason: coded(`${terminology}/data-absent-reason`, "unknown") };
}
