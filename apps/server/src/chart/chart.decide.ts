import { findingOfCode } from "@arcada/contract/analysis/observation";
import type { Geometry } from "@arcada/contract/analysis/observation";
import type { ChartDecision } from "@arcada/contract/chart/chart.calls";
import { crownWith, findingRules, toothIn } from "@arcada/contract/chart/chart.rules";
import { withTeeth } from "@arcada/contract/chart/chart.changes";
import { severities } from "@arcada/contract/chart/chart.shape";
import type { ChartContent, ChartTooth, Finding } from "@arcada/contract/chart/chart.shape";
import type { MemberContext } from "../platform/http/request-context.ts";
import { newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { decisionOn, noteDecision, observationsOf } from "./decision.store.ts";
import type { SeenObservation } from "./decision.store.ts";
import type { Mouth } from "./chart.store.ts";

/**
 * Returns the chart after the decisions on these suggestions: accepted as they are, changed, or rejected. Each decision
 * is recorded.
 */
export async function decided(
  { db, asker, now }: MemberContext,
  mouth: Mouth,
  content: ChartContent,
  decisions: readonly ChartDecision[],
): Promise<ChartContent> {
  const by = { uid: asker.uid, at: now.toISOString() };
  const observations = await observationsOf(
    db,
    mouth,
    decisions.map(({ observationId }) => observationId),
  );
  let chart = content;
  for (const decision of decisions) {
    const seen = observations.get(decision.observationId) ?? refuse("notFound");
    const earlier = await decisionOn(db, mouth, seen);
    const standing = findingIn(chart, earlier);
    if (decision.action === "accept" && standing) continue;
    const suggested = decision.action === "reject" ? null : suggestionOf(seen, decision);
    const status = decision.action === "accept" ? "accepted" : "added";
    const finding = suggested?.said
      ? newFinding(suggested.said, seen, { ...by, status, id: standing ?? newId() })
      : null;
    if (standing) chart = without(chart, standing);
    if (suggested) chart = withTeeth(chart, [toldOf(toothIn(chart, suggested.fdi), finding)]);
    await noteDecision(db, mouth, seen, { decision, findingId: finding?.id ?? null, ...by });
  }
  return chart;
}

type Said = Pick<Finding, "code" | "surfaces" | "severity" | "remark">;
interface Suggestion {
  fdi: number;
  /** Null: the decision only says that the tooth exists. */
  said: Said | null;
}

function suggestionOf(seen: SeenObservation, decision: Exclude<ChartDecision, { action: "reject" }>): Suggestion {
  const code = findingOfCode(seen.code);
  if (decision.action === "edit") {
    const { fdi, ...said } = decision.finding;
    return code === null ? refuse("observationUncharted") : { fdi, said };
  }
  if (seen.target.kind !== "tooth") return refuse("observationUncharted");
  const { fdi } = seen.target;
  if (seen.code === "TOOTH_BOX") return { fdi, said: null };
  if (code === null || seen.value === false) return refuse("observationUncharted");
  const severity = severities.find((one) => one === seen.value) ?? null;
  return { fdi, said: { code, surfaces: [], severity: findingRules[code].severity ? severity : null, remark: null } };
}

const newFinding = (
  said: Said,
  { id: observationId, studyId, instanceId, geometry }: SeenObservation,
  { id, status, uid, at }: { id: string; status: "accepted" | "added"; uid: string; at: string },
): Finding => ({
  ...said,
  id,
  status,
  observationId,
  evidence: instanceId === null ? null : { studyId, instanceId, box: boxAround(geometry) },
  by: uid,
  at,
  reason: null,
});

/**
 * A finding implies that its tooth exists, and the state of its crown. Nobody has confirmed the tooth in this state.
 */
function toldOf(tooth: ChartTooth, finding: Finding | null): ChartTooth {
  const presence =
    tooth.presence === "unknown" ? (finding ? findingRules[finding.code].on[0] : "present") : tooth.presence;
  const open = { ...tooth, presence, confirmedBy: null, confirmedAt: null };
  if (!finding) return presence === tooth.presence ? tooth : open;
  return { ...open, crown: crownWith(open, finding), findings: [...tooth.findings, finding] };
}

const findingIn = ({ teeth }: ChartContent, id: string | null): string | null =>
  id !== null && teeth.some(({ findings }) => findings.some((one) => one.id === id)) ? id : null;

function without(content: ChartContent, id: string): ChartContent {
  const tooth = content.teeth.find(({ findings }) => findings.some((one) => one.id === id))!;
  const findings = tooth.findings.filter((one) => one.id !== id);
  return withTeeth(content, [{ ...tooth, findings, confirmedBy: null, confirmedAt: null }]);
}

function boxAround(geometry: Geometry | null) {
  if (!geometry || geometry.kind === "point") return null;
  if (geometry.kind === "box") {
    const { left, top, right, bottom } = geometry;
    return { left, top, right, bottom };
  }
  const [xs, ys] = [geometry.points.map(([x]) => x), geometry.points.map(([, y]) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}
