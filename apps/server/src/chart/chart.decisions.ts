import { codeToFinding, missingToothCode } from "@arcada/contract/analysis/observation";
import type { Geometry } from "@arcada/contract/analysis/observation";
import type { ChartDecision } from "@arcada/contract/chart/chart.calls";
import {
  blankTooth,
  contradictsChart,
  crownAfterFinding,
  findingRules,
  findTooth,
} from "@arcada/contract/chart/chart.rules";
import { isSameTooth, replaceTeeth } from "@arcada/contract/chart/chart.changes";
import { severities } from "@arcada/contract/chart/chart.schema";
import type { ChartContent, ChartTooth, Finding, Presence } from "@arcada/contract/chart/chart.schema";
import type { MemberContext } from "../platform/http/request-context.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { findDecision, findOtherAcceptance, saveDecision, loadObservations } from "./decision.store.ts";
import type { EarlierDecision, ImageObservation } from "./decision.store.ts";
import type { PatientKey } from "./chart.store.ts";

/**
 * Returns the chart after the decisions on these suggestions: accepted as they are, changed, or rejected. Each decision
 * is recorded.
 */
export async function applyDecisions(
  { db, principal, now }: MemberContext,
  patientKey: PatientKey,
  content: ChartContent,
  decisions: readonly ChartDecision[],
): Promise<ChartContent> {
  const by = { uid: principal.uid, at: now.toISOString() };
  const observations = await loadObservations(
    db,
    patientKey,
    decisions.map(({ observationId }) => observationId),
  );
  let chart = content;
  for (const decision of decisions) {
    const observation = observations.get(decision.observationId) ?? refuse("notFound");
    const earlier = await findDecision(db, patientKey, observation);
    const existingFinding = findFindingId(chart, earlier?.findingId ?? null);
    if (decision.action === "accept" && existingFinding) continue;
    const suggested = decision.action === "reject" ? null : toSuggestion(observation, decision);
    const status = decision.action === "accept" ? "accepted" : "added";
    const finding = suggested?.finding
      ? createFinding(suggested.finding, observation, { ...by, status, id: existingFinding ?? newId() })
      : null;
    if (existingFinding) chart = removeFinding(chart, existingFinding);
    if (earlier) chart = await withdrawTooth(db, patientKey, chart, { observation, earlier });
    if (suggested && contradictsChart(chart, observation.code, suggested.fdi)) refuse("toothContradicted");
    if (suggested)
      chart = replaceTeeth(chart, [withSuggestion(findTooth(chart, suggested.fdi), suggested, finding, by)]);
    await saveDecision(db, patientKey, observation, {
      decision,
      findingId: finding?.id ?? null,
      fdi: suggested?.fdi ?? null,
      ...by,
    });
  }
  return chart;
}

type SuggestedFinding = Pick<Finding, "code" | "surfaces" | "severity" | "remark">;
interface Suggestion {
  fdi: number;
  /** Null: the decision only states whether the tooth is there. */
  finding: SuggestedFinding | null;
  /** The state that an unassessed tooth gets. */
  presence: Presence;
}

/** The presence that an observation about a whole tooth states. */
const presenceByCode: ReadonlyMap<string, Presence> = new Map([
  ["TOOTH_BOX", "present"],
  [missingToothCode, "missing"],
]);

function toSuggestion(
  observation: ImageObservation,
  decision: Exclude<ChartDecision, { action: "reject" }>,
): Suggestion {
  const code = codeToFinding(observation.code);
  if (decision.action === "renumber") {
    const isTooth = observation.code === "TOOTH_BOX";
    return isTooth ? { fdi: decision.fdi, finding: null, presence: "present" } : refuse("observationUncharted");
  }
  if (decision.action === "edit") {
    const { fdi, ...suggestedFinding } = decision.finding;
    return code === null ? refuse("observationUncharted") : toFindingSuggestion(fdi, suggestedFinding);
  }
  if (observation.target.kind !== "tooth") return refuse("observationUncharted");
  const { fdi } = observation.target;
  const presence = presenceByCode.get(observation.code);
  if (presence) return { fdi, finding: null, presence };
  if (code === null || observation.value === false) return refuse("observationUncharted");
  const severity = severities.find((one) => one === observation.value) ?? null;
  const given = findingRules[code].severity ? severity : null;
  return toFindingSuggestion(fdi, { code, surfaces: [], severity: given, remark: null });
}

const toFindingSuggestion = (fdi: number, finding: SuggestedFinding): Suggestion => ({
  fdi,
  finding,
  presence: findingRules[finding.code].presences[0],
});

const createFinding = (
  suggestedFinding: SuggestedFinding,
  { id: observationId, studyId, instanceId, geometry }: ImageObservation,
  { id, status, uid, at }: { id: string; status: "accepted" | "added"; uid: string; at: string },
): Finding => ({
  ...suggestedFinding,
  id,
  status,
  observationId,
  evidence: instanceId === null ? null : { studyId, instanceId, box: boundingBox(geometry) },
  by: uid,
  at,
  reason: null,
});

/**
 * The state of an unassessed tooth follows from what was accepted. A dentist who accepts that a tooth is there, or
 * missing, has confirmed exactly that; its crown stays unassessed. A finding implies more than was looked at (a tooth, the
 * state of a crown), so nobody has confirmed the tooth in this state.
 */
function withSuggestion(
  tooth: ChartTooth,
  suggested: Suggestion,
  finding: Finding | null,
  { uid, at }: { uid: string; at: string },
): ChartTooth {
  const isUnassessed = tooth.presence === "unknown";
  if (!finding)
    return isUnassessed ? { ...tooth, presence: suggested.presence, confirmedBy: uid, confirmedAt: at } : tooth;
  const presence = isUnassessed ? suggested.presence : tooth.presence;
  const open = { ...tooth, presence, confirmedBy: null, confirmedAt: null };
  return { ...open, crown: crownAfterFinding(open, finding), findings: [...tooth.findings, finding] };
}

/**
 * Takes back what an earlier decision about a tooth wrote, if the tooth is still as it wrote it. A tooth that another
 * image shows as well stays, confirmed by the decision on that image.
 */
async function withdrawTooth(
  db: Db,
  patientKey: PatientKey,
  chart: ChartContent,
  { observation, earlier }: { observation: ImageObservation; earlier: EarlierDecision },
): Promise<ChartContent> {
  const presence = presenceByCode.get(observation.code);
  if (!presence || earlier.fdi === null) return chart;
  const tooth = findTooth(chart, earlier.fdi);
  const written = { ...blankTooth(earlier.fdi), presence, confirmedBy: earlier.uid, confirmedAt: earlier.at };
  if (!isSameTooth(tooth, written)) return chart;
  const other = await findOtherAcceptance(db, patientKey, observation, earlier.fdi);
  const kept = other ? { ...tooth, confirmedBy: other.uid, confirmedAt: other.at } : blankTooth(earlier.fdi);
  return replaceTeeth(chart, [kept]);
}

const findFindingId = ({ teeth }: ChartContent, id: string | null): string | null =>
  id !== null && teeth.some(({ findings }) => findings.some((one) => one.id === id)) ? id : null;

function removeFinding(content: ChartContent, id: string): ChartContent {
  const tooth = content.teeth.find(({ findings }) => findings.some((one) => one.id === id))!;
  const findings = tooth.findings.filter((one) => one.id !== id);
  return replaceTeeth(content, [{ ...tooth, findings, confirmedBy: null, confirmedAt: null }]);
}

function boundingBox(geometry: Geometry | null) {
  if (!geometry || geometry.kind === "point" || geometry.kind === "solid") return null;
  if (geometry.kind === "box") {
    const { left, top, right, bottom } = geometry;
    return { left, top, right, bottom };
  }
  const [xs, ys] = [geometry.points.map(([x]) => x), geometry.points.map(([, y]) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}
