import { offeredLanguages } from "@arcada/contract/kernel/languages";
import { reportCalls } from "@arcada/contract/report/report.calls";
import type { Report } from "@arcada/contract/report/report.calls";
import { reportForm, reportRules } from "@arcada/contract/report/report.shape";
import type { ReportForm } from "@arcada/contract/report/report.shape";
import type { MemberContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { documentUrl } from "../platform/http/document-routes.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { basisOf, problemsOf } from "./report.content.ts";
import { keepPictures, pictureUrl } from "./report.pictures.ts";
import { sign } from "./report.sign.ts";
import { choicesOf, patientLives, sourcesOf } from "./report.sources.ts";
import { insertReport, reportById, reportsOf, saveDraft } from "./report.store.ts";
import { takeStep } from "./report.steps.ts";
import { rowOf, saidNow, viewReport } from "./report.view.ts";

export const reportRoutes = routes(reportCalls, {
  list: async (input, { db, asker }) => {
    if (input.patientId && !(await patientLives(db, asker.iid, input.patientId))) return refuse("notFound");
    const { rows, total } = await reportsOf(db, asker.iid, input);
    return { list: rows.map(rowOf), total };
  },
  detail: ({ id }, context) => noted(context, id),

  create: async ({ patientId, source }, context) => {
    const { db, asker, now } = context;
    const form = await firstForm(context, patientId, source);
    const sources = await sourcesOf(db, { iid: asker.iid, patientId, form, at: now });
    if (!sources) return refuse("notFound");
    const problems = source === "ai" ? problemsOf(sources.chart.content.teeth) : [];
    const id = await insertReport(db, {
      iid: asker.iid,
      uid: asker.uid,
      patientId,
      source,
      form: { ...form, problems },
      basis: basisOf(sources),
      previousId: null,
    });
    return told(context, id ?? refuse("internal"));
  },

  save: async ({ id, version, form, seen }, context) => {
    const { db, asker, now } = context;
    const row = (await reportById(db, asker.iid, id)) ?? refuse("notFound");
    if (row.state !== "draft") refuse("reportActionNotAllowed");
    const { patient_id: patientId, basis: before } = row;
    const asked = { iid: asker.iid, patientId, form, at: now };
    const sources = (await sourcesOf(db, asked)) ?? refuse("notFound");
    const areOurs = sources.images.length === form.images.length && sources.analyses.length === form.analysisIds.length;
    if (!areOurs || (form.tracingId !== null && !sources.tracing)) refuse("reportImageForeign");
    const basis = basisOf(sources);
    // A tracing that was chosen only now has been looked at by choosing it.
    const tracingVersion = form.tracingId === row.form.tracingId ? before.tracingVersion : basis.tracingVersion;
    const change = { form, basis: seen ? basis : { ...before, tracingVersion }, uid: asker.uid };
    if (!(await saveDraft(db, { iid: asker.iid, id, version }, change))) refuse("reportChanged");
    return told(context, id);
  },

  step: async (input, context) => {
    const id = await takeStep(context, input);
    await notifyClients(context.db, { institutions: [context.asker.iid] }, "report", input.id);
    return id === null ? null : viewReport(context, id);
  },
  sign: { apart: (input, context) => sign(context, input) },

  pictures: {
    apart: async ({ id }, context) => {
      const { asker, database } = context;
      const content = await context.inTransaction(async ({ db }) => {
        const row = (await reportById(db, asker.iid, id)) ?? refuse("notFound");
        return (await saidNow(db, row, null)).content;
      });
      const pictures = await keepPictures(database, { iid: asker.iid, uid: asker.uid, id }, content);
      return pictures.map(({ sha256, ...picture }) => ({
        ...picture,
        url: pictureUrl(asker.iid, sha256),
      }));
    },
  },

  paper: async ({ id, lang }, context) => {
    const { db, asker, now, language } = context;
    const row = (await reportById(db, asker.iid, id)) ?? refuse("notFound");
    context.detail = { patient: row.patient_id };
    const spoken = offeredLanguages.find((one) => one === (lang ?? language)) ?? "en";
    const asked = { iid: asker.iid, uid: asker.uid, id, language: spoken, scheme: row.form.scheme };
    return { url: documentUrl("report", asked, now) };
  },
});

/**
 * The initial form of a new report: empty if it is written by hand; from analysis, with the measurements of the
 * engines.
 */
async function firstForm(
  { db, asker }: MemberContext,
  patientId: string,
  source: Report["source"],
): Promise<ReportForm> {
  const empty = reportForm.parse({});
  if (source === "manual") return empty;
  const { analyses, tracings } = await choicesOf(db, asker.iid, patientId);
  const newest = new Map(analyses.toReversed().map((one) => [`${one.study_id} ${one.engine.id}`, one.id]));
  return {
    ...empty,
    analysisIds: [...newest.values()].slice(-reportRules.analyses),
    tracingId: tracings[0]?.id ?? null,
    cephAnalyses: tracings[0] ? ["steiner"] : [],
  };
}

async function noted(context: MemberContext, id: string): Promise<Report> {
  const report = await viewReport(context, id);
  context.detail = { patient: report.patientId };
  return report;
}

async function told(context: MemberContext, id: string): Promise<Report> {
  context.subject = id;
  await notifyClients(context.db, { institutions: [context.asker.iid] }, "report", id);
  return noted(context, id);
}
