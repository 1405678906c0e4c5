import { offeredLanguages } from "@arcada/contract/kernel/languages";
import { reportCalls } from "@arcada/contract/report/report.calls";
import type { Report } from "@arcada/contract/report/report.calls";
import { reportForm } from "@arcada/contract/report/report.schema";
import type { ReportForm } from "@arcada/contract/report/report.schema";
import type { MemberContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { documentUrl } from "../platform/http/pdf-routes.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { toBasis, listProblems } from "./report.content.ts";
import { storeReportImages, buildReportImageUrl } from "./report.images.ts";
import { signReportAs } from "./report.sign.ts";
import { listChoices, patientExists, loadSources } from "./report.sources.ts";
import { insertReport, findReport, listReports, saveDraft } from "./report.store.ts";
import { applyReportStep } from "./apply-report-step.ts";
import { toReportRow, loadCurrentContent, loadReport } from "./report.view.ts";

export const reportRoutes = routes(reportCalls, {
  list: async (input, { db, principal }) => {
    if (input.patientId && !(await patientExists(db, principal.iid, input.patientId))) return refuse("notFound");
    const { rows, total } = await listReports(db, principal.iid, input);
    return { list: rows.map(toReportRow), total };
  },
  detail: ({ id }, context) => loadAndAudit(context, id),

  create: async ({ patientId, source }, context) => {
    const { db, principal, now } = context;
    const form = await createInitialForm(context, patientId, source);
    const sources = await loadSources(db, { iid: principal.iid, patientId, form, at: now });
    if (!sources) return refuse("notFound");
    const problems = source === "ai" ? listProblems(sources.chart.content.teeth) : [];
    const id = await insertReport(db, {
      iid: principal.iid,
      uid: principal.uid,
      patientId,
      source,
      form: { ...form, problems },
      basis: toBasis(sources),
      previousId: null,
    });
    return notifyAndLoad(context, id ?? refuse("internal"));
  },

  save: async ({ id, version, form, seen }, context) => {
    const { db, principal, now } = context;
    const row = (await findReport(db, principal.iid, id)) ?? refuse("notFound");
    if (row.state !== "draft") refuse("reportActionNotAllowed");
    const { patient_id: patientId, basis: before } = row;
    const request = { iid: principal.iid, patientId, form, at: now };
    const sources = (await loadSources(db, request)) ?? refuse("notFound");
    const areAllFound =
      sources.images.length === form.images.length && sources.analyses.length === form.analysisIds.length;
    if (!areAllFound || (form.tracingId !== null && !sources.tracing)) refuse("reportImageForeign");
    const basis = toBasis(sources);
    // A tracing that was chosen only now has been looked at by choosing it.
    const tracingVersion = form.tracingId === row.form.tracingId ? before.tracingVersion : basis.tracingVersion;
    const change = { form, basis: seen ? basis : { ...before, tracingVersion }, uid: principal.uid };
    if (!(await saveDraft(db, { iid: principal.iid, id, version }, change))) refuse("reportChanged");
    return notifyAndLoad(context, id);
  },

  step: async (input, context) => {
    const id = await applyReportStep(context, input);
    await notifyClients(context.db, { institutions: [context.principal.iid] }, "report", input.id);
    return id === null ? null : loadReport(context, id);
  },
  sign: { manualTransaction: (input, context) => signReportAs(context, input) },

  pictures: {
    manualTransaction: async ({ id }, context) => {
      const { principal, database } = context;
      const content = await context.inTransaction(async ({ db }) => {
        const row = (await findReport(db, principal.iid, id)) ?? refuse("notFound");
        return (await loadCurrentContent(db, row, null)).content;
      });
      const images = await storeReportImages(database, { iid: principal.iid, uid: principal.uid, id }, content);
      return images.map(({ sha256, ...image }) => ({
        ...image,
        url: buildReportImageUrl(principal.iid, sha256),
      }));
    },
  },

  paper: async ({ id, lang, part }, context) => {
    const { db, principal, now, language } = context;
    const row = (await findReport(db, principal.iid, id)) ?? refuse("notFound");
    context.detail = { patient: row.patient_id };
    const documentLanguage = offeredLanguages.find((one) => one === (lang ?? language)) ?? "en";
    const request = { iid: principal.iid, uid: principal.uid, id, language: documentLanguage, scheme: row.form.scheme };
    return { url: documentUrl(part === "annex" ? "reportAnnex" : "report", request, now) };
  },
});

/**
 * The initial form of a new report: empty if it is written by hand; else with the newest tracing. No measurement is
 * chosen unasked.
 */
async function createInitialForm(
  { db, principal }: MemberContext,
  patientId: string,
  source: Report["source"],
): Promise<ReportForm> {
  const empty = reportForm.parse({});
  if (source === "manual") return empty;
  const { tracings } = await listChoices(db, principal.iid, patientId);
  return {
    ...empty,
    tracingId: tracings[0]?.id ?? null,
    cephAnalyses: tracings[0] ? ["steiner"] : [],
  };
}

async function loadAndAudit(context: MemberContext, id: string): Promise<Report> {
  const report = await loadReport(context, id);
  context.detail = { patient: report.patientId };
  return report;
}

async function notifyAndLoad(context: MemberContext, id: string): Promise<Report> {
  context.subject = id;
  await notifyClients(context.db, { institutions: [context.principal.iid] }, "report", id);
  return loadAndAudit(context, id);
}
