import { cephAnalyses } from "@arcada/analysis/ceph/analyses";
import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { createCephDrawing } from "@arcada/analysis/ceph/print-drawing";
import { createCephReport } from "@arcada/analysis/ceph/ceph-report";
import { computeOralScore } from "@arcada/analysis/report/oral-score";
import { createToothLists } from "@arcada/analysis/report/tooth-lists";
import { hasProblem } from "@arcada/analysis/report/tooth-state";
import { codesApplicableTo } from "@arcada/contract/analysis/analysis.rules";
import { trustLevelOf } from "@arcada/contract/analysis/trust-levels";
import { readArchPart } from "@arcada/contract/analysis/arch-target";
import type { Abstention, EngineInfo } from "@arcada/contract/analysis/observation";
import type { ChartTooth, Finding } from "@arcada/contract/chart/chart.schema";
import { findingCodes } from "@arcada/contract/chart/chart.schema";
import type {
  ReportBasis,
  ReportContent,
  ReportEngine,
  ReportForm,
  ReportMeasurement,
  ReportProblem,
  ReportTooth,
} from "@arcada/contract/report/report.schema";
import type { SourceAnalysis, ReportSources } from "./report.sources.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

interface ReportFrame {
  number: string;
  source: ReportContent["source"];
  previous: string | null;
  writer: string;
  writtenAt: string;
  form: ReportForm;
  signature: ReportContent["signature"];
}

/** Builds the content of a report from the current data. Data that no dentist has confirmed makes no statement. */
export function buildContent(frame: ReportFrame, sources: ReportSources): ReportContent {
  const { teeth } = sources.chart.content;
  const lists = createToothLists(teeth);
  return {
    format: 1,
    ...frame,
    patient: sources.patient,
    institution: sources.institution,
    chart: { version: sources.chart.version, teeth: teeth.map((tooth) => toReportTooth(tooth, sources)) },
    lists,
    problemTeethNum: lists.problem.length,
    score: computeOralScore(teeth),
    toothPictures: teeth.filter(hasProblem).flatMap((tooth) => toToothImages(tooth, sources.analyses)),
    images: sources.images,
    measurements: sources.analyses.flatMap(toMeasurements),
    engines: toReportEngines(sources),
    analysisCount: countAnalyses(sources),
    ceph: buildCeph(frame.form, sources),
  };
}

const isConfirmedFinding = ({ status }: Finding): boolean => status === "accepted" || status === "added";
const toEngineReference = (engine: EngineInfo, codes: readonly string[] = engine.produces) => ({
  id: engine.id,
  version: engine.version,
  level: trustLevelOf(engine, codes),
});

const toReportTooth = (tooth: ChartTooth, { suggestions }: ReportSources): ReportTooth => ({
  fdi: tooth.fdi,
  presence: tooth.confirmedBy === null ? "unknown" : tooth.presence,
  crown: tooth.confirmedBy === null ? null : tooth.crown,
  confirmed: tooth.confirmedBy !== null,
  findings: tooth.findings
    .filter(isConfirmedFinding)
    .map(({ id, code, surfaces, severity, remark, status, observationId }) => {
      const made = observationId === null ? undefined : suggestions.get(observationId);
      return {
        id,
        code,
        surfaces,
        severity,
        remark,
        status: status === "accepted" ? "accepted" : "added",
        suggestedBy: made
          ? { ...toEngineReference(made.engine, [made.observation.code]), confidence: made.observation.confidence }
          : null,
      };
    }),
});

/** Returns the image region of a tooth's problem: the box of a finding, or else of the tooth. */
function toToothImages(tooth: ChartTooth, analyses: readonly SourceAnalysis[]): ReportContent["toothPictures"] {
  const found = tooth.findings.filter((one) => isConfirmedFinding(one) && findingCodes[one.code] === "suspected");
  const codes = [...new Set(found.map(({ code }) => code))];
  const shown = found.find(({ evidence }) => evidence?.box)?.evidence ?? findToothBox(tooth.fdi, analyses);
  return shown?.box
    ? [{ fdi: tooth.fdi, studyId: shown.studyId, instanceId: shown.instanceId, box: shown.box, codes }]
    : [];
}

/** Only a box that a dentist accepted shows a tooth, under the number that the dentist gave it. */
function findToothBox(fdi: number, analyses: readonly SourceAnalysis[]) {
  for (const { study_id, instance_id, observations } of analyses)
    for (const { code, accepted_as, geometry } of observations)
      if (instance_id && code === "TOOTH_BOX" && accepted_as === fdi && geometry?.kind === "box") {
        const { left, top, right, bottom } = geometry;
        return { studyId: study_id, instanceId: instance_id, box: { left, top, right, bottom } };
      }
  return null;
}

/** Suggestions are printed where a dentist accepted them, as findings; measurements as they are. */
const toMeasurements = ({
  engine,
  study_id,
  instance_id,
  observations,
  kind,
  taken,
  lossy,
}: SourceAnalysis): ReportMeasurement[] =>
  engine.kind === "measurement"
    ? observations
        // A scale that is one of several possible readings of a ruler is not a measurement until somebody accepts it.
        .filter((one) => one.value !== null && !(one.code === "CEPH_SCALE" && one.confidence.basis === "none"))
        .map(({ code, target, value, unit, confidence }) => ({
          code,
          target,
          value,
          unit,
          confidence,
          engine: toEngineReference(engine),
          studyId: study_id,
          instanceId: instance_id,
          image: { kind, takenAt: taken, ...(lossy && { isLossy: true as const }) },
        }))
    : [];

/** Returns every engine that contributed, once for each study, with what it looked for and what it abstained from. */
function toReportEngines({ analyses, suggestions }: ReportSources): ReportEngine[] {
  const used = [...analyses, ...suggestions.values()];
  const alike = Map.groupBy(used, ({ engine, study_id }) => `${engine.id} ${engine.version} ${study_id}`);
  return [...alike.values()].map((runs): ReportEngine => {
    const [{ engine, study_id }] = runs as [(typeof used)[0]];
    const seen = analyses.find((one) => one.study_id === study_id);
    const abstentions = runs.flatMap((look) => look.abstentions);
    return {
      ...toEngineReference(engine),
      clearance: engine.card.clearance,
      studyId: study_id,
      ...(seen && { image: { kind: seen.kind, takenAt: seen.taken } }),
      lookedFor: seen ? codesApplicableTo(seen.kind, engine.produces) : engine.produces,
      abstentions: [...new Map(abstentions.map((one) => abstentionEntry(one))).values()],
    };
  });
}

function countAnalyses({ analyses, suggestions }: ReportSources): number {
  const suggested = [...suggestions.values()].map(({ analysis_id }) => analysis_id);
  return new Set([...analyses.map(({ id }) => id), ...suggested]).size;
}

/** One line for each code; for an arch of a volume, one for each part that was not assessed. */
function abstentionEntry({ code, target, reason }: Abstention): [string, ReportEngine["abstentions"][number]] {
  const part = readArchPart(code, target);
  return part ? [`${code} ${part.jaw} ${part.cut ?? ""}`, { code, target, reason }] : [code, { code, reason }];
}

const isAnalysis = (name: string): name is CephAnalysis => Object.hasOwn(cephAnalyses, name);

function buildCeph({ cephAnalyses: chosen }: ReportForm, { tracing }: ReportSources): ReportContent["ceph"] {
  if (!tracing) return null;
  const sex = tracing.sex === "male" || tracing.sex === "female" ? tracing.sex : "other";
  return {
    ...pickColumns(tracing, "study_id", "instance_id", "version"),
    ...(tracing.picture && { drawing: createCephDrawing(tracing.content, tracing.picture) }),
    ...(tracing.lossy && { isLossy: true as const }),
    population: tracing.content.population,
    rows: chosen.filter(isAnalysis).flatMap((analysis) =>
      createCephReport(tracing.content, { sex, age: tracing.age }, analysis).rows.map((row) => ({
        analysis,
        measure: row.measure,
        unit: row.unit,
        value: row.value,
        norm: row.norm && {
          mean: row.norm.mean,
          sd: row.norm.sd,
          source: row.norm.source,
          isOtherAge: row.norm.isOtherAge,
        },
        deviation: row.difference !== null && row.norm?.sd ? row.difference / row.norm.sd : null,
        error: row.error,
        isBorderline: row.isBorderline,
        ...(row.implausible.length > 0 && { implausible: row.implausible }),
      })),
    ),
  };
}

/** The state of the sources that a writer sees besides their own text. */
export const toBasis = ({ patient, chart, tracing }: ReportSources): ReportBasis => ({
  patient: {
    name: patient.name,
    number: patient.number,
    sex: patient.sex,
    birthDate: patient.birthDate,
    entryNumber: patient.entryNumber,
  },
  chartVersion: chart.version,
  tracingVersion: tracing?.version ?? null,
});

/** A line for every finding of trouble that a dentist has confirmed. */
export const listProblems = (teeth: readonly Pick<ChartTooth, "fdi" | "findings">[]): ReportProblem[] =>
  teeth.flatMap(({ fdi, findings }) =>
    findings
      .filter((one) => isConfirmedFinding(one) && findingCodes[one.code] === "suspected")
      .map(({ id, code, surfaces, severity, remark }) => ({
        id,
        fdi,
        findingId: id,
        code,
        surfaces,
        severity,
        text: remark ?? "",
      })),
  );
