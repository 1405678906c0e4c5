import { chartCalls, type Chart, type ToothInput } from "@arcada/contract/chart/chart.calls";
import { findChartProblems } from "@arcada/contract/chart/chart.rules";
import type { ChartContent } from "@arcada/contract/chart/chart.schema";
import { dentistRoles, hasAccess } from "@arcada/contract/kernel/roles";
import type { MemberContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { findSuggestedOnlyIn, restoreChart, writeTeeth } from "./edit-chart-content.ts";
import { applyDecisions } from "./chart.decisions.ts";
import {
  addVersion,
  lockChart,
  findChart,
  loadChart,
  isEvidenceOfPatient,
  patientExists,
  listVersions,
} from "./chart.store.ts";
import type { StoredChart, PatientKey } from "./chart.store.ts";

export const chartRoutes = routes(chartCalls, {
  detail: async ({ patientId, version }, context) => {
    const patientKey = await requirePatientKey(context, patientId);
    return (await loadChart(context.db, patientKey, version)) ?? refuse("notFound");
  },
  history: async ({ patientId }, context) => listVersions(context.db, await requirePatientKey(context, patientId)),
  save: async ({ patientId, version, teeth }, context) => {
    const { mouth: patientKey, before } = await openForWriting(context, patientId, version);
    await requireEvidence(context, patientKey, teeth);
    const content = writeTeeth(before?.content ?? { teeth: [] }, teeth, toWriter(context));
    return saveChart(context, patientKey, before, content);
  },
  restore: async ({ patientId, version, from }, context) => {
    const { mouth: patientKey, before } = await openForWriting(context, patientId, version);
    const old = (await findChart(context.db, patientKey, from)) ?? refuse("notFound");
    return saveChart(context, patientKey, before, restoreChart(before?.content ?? { teeth: [] }, old.content), from);
  },
  decide: async ({ patientId, decisions }, context) => {
    const { mouth: patientKey, before } = await openForWriting(context, patientId);
    const content = await applyDecisions(context, patientKey, before?.content ?? { teeth: [] }, decisions);
    return saveChart(context, patientKey, before, content);
  },
});

async function requirePatientKey(context: MemberContext, patientId: string): Promise<PatientKey> {
  context.subject = patientId;
  const patientKey = { iid: context.principal.iid, patientId };
  return (await patientExists(context.db, patientKey)) ? patientKey : refuse("notFound");
}

/** Returns the chart to write into; refuses if it was written since the version that the client saw. */
async function openForWriting(context: MemberContext, patientId: string, seen?: number) {
  const patientKey = await requirePatientKey(context, patientId);
  await lockChart(context.db, patientKey);
  const before = await findChart(context.db, patientKey);
  if (seen !== undefined && seen !== (before?.version ?? 0))
    return refuse("chartChanged", await loadChart(context.db, patientKey));
  return { mouth: patientKey, before };
}

/** Refuses evidence that is not an image of this patient. */
async function requireEvidence(
  { db }: MemberContext,
  patientKey: PatientKey,
  teeth: readonly ToothInput[],
): Promise<void> {
  const shown = teeth.flatMap(({ findings }) => findings.flatMap(({ evidence }) => evidence ?? []));
  if (!(await isEvidenceOfPatient(db, patientKey, shown))) refuse("notFound");
}

const toWriter = ({ principal, now }: MemberContext) => ({
  uid: principal.uid,
  at: now.toISOString(),
  newId,
  mayConfirm: hasAccess(dentistRoles, principal.role),
});

async function saveChart(
  context: MemberContext,
  patientKey: PatientKey,
  before: StoredChart | undefined,
  content: ChartContent,
  restoredFrom?: number,
): Promise<Chart> {
  const { db, principal } = context;
  const problems = findChartProblems(content);
  if (problems.length > 0) return refuse("chartUnfit", { problems });
  const { uid, at, mayConfirm } = toWriter(context);
  // A finding of an engine that goes or returns is a decision on it, which `decide` leaves to dentists.
  const old = before?.content ?? { teeth: [] };
  if (!mayConfirm && [...findSuggestedOnlyIn(old, content), ...findSuggestedOnlyIn(content, old)].length > 0)
    return refuse("notAllowed");
  const version = await addVersion(db, patientKey, { before, content, uid, at, restoredFrom });
  context.detail["version"] = version;
  await notifyClients(db, { institutions: [principal.iid] }, "chart", patientKey.patientId);
  return (await loadChart(db, patientKey))!;
}
