import type { Report, ReportRow } from "@arcada/contract/report/report.calls";
import { trustLevelOf } from "@arcada/contract/analysis/trust-levels";
import { actionsFrom } from "@arcada/contract/kernel/lifecycle";
import { dentistRoles, hasAccess } from "@arcada/contract/kernel/roles";
import { reportLifecycle } from "@arcada/contract/report/report.lifecycle";
import type { ReportAction } from "@arcada/contract/report/report.lifecycle";
import { reportContent, reportForm, patientFactNames } from "@arcada/contract/report/report.schema";
import type { ReportChanges, ReportContent, ReportBasis } from "@arcada/contract/report/report.schema";
import type { MemberContext } from "../platform/http/request-context.ts";
import type { Db } from "../platform/database/database.ts";
import { createFileUrl } from "../platform/storage/file-url.ts";
import { refuse } from "../platform/http/refuse.ts";
import { secret } from "../platform/runtime/services.ts";
import { toBasis, buildContent, listProblems } from "./report.content.ts";
import { findToothDetailUrl } from "./report.images.ts";
import { listChoices, listImageChoices, loadSources, listTeethChangedSince } from "./report.sources.ts";
import type { ReportSources } from "./report.sources.ts";
import { findLicence, findRelatedReports, listDocuments, findReport } from "./report.store.ts";
import type { ReportRecord } from "./report.store.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

export const toReportRow = (row: ReportRecord): ReportRow => ({
  ...pickColumns(
    row,
    "id",
    "patient_id",
    "patient_name",
    "number",
    "source",
    "state",
    "score",
    "created_at",
    "saved_at",
    "writer",
    "signer",
    "signed_at",
  ),
});

/** A report with all that its reader sees of it. */
export async function loadReport(context: MemberContext, id: string): Promise<Report> {
  const { db, principal } = context;
  const row = (await findReport(db, principal.iid, id)) ?? refuse("notFound");
  const relatedReports = await findRelatedReports(db, principal.iid, id, row.previous_id);
  const current = await loadCurrentContent(db, row, relatedReports.previous?.number ?? null);
  return {
    ...toReportRow(row),
    score: current.content.score.score,
    version: row.version,
    form: current.content.form,
    content: current.content,
    toothDetailImageUrl: await findToothDetailUrl(db, { iid: principal.iid, id }, current.content),
    changes: current.changes,
    offered: current.offered,
    choices: current.sources ? await loadChoices(db, row) : { images: [], analyses: [], tracings: [] },
    licence: row.licence,
    sha256: row.sha256,
    papers: await listDocuments(db, principal.iid, id),
    ...relatedReports,
    ended: row.ended_at ? { by: row.ender, at: row.ended_at, reason: row.reason ?? "" } : null,
    actions: openActions(row, context, relatedReports.next !== null),
    ownLicence: current.sources ? await findLicence(db, principal.iid, principal.uid) : null,
  };
}

interface CurrentContent {
  content: ReportContent;
  changes: ReportChanges | null;
  offered: Report["offered"];
  /** Null: the report is signed, and keeps its content. */
  sources: ReportSources | null;
}
/**
 * Returns the content of a report now: for a signed one the signed content, for a draft the content that it would have
 * if it were signed now.
 */
export async function loadCurrentContent(db: Db, row: ReportRecord, previous: string | null): Promise<CurrentContent> {
  if (row.content) return { content: reportContent.parse(row.content), changes: null, offered: [], sources: null };
  const { institution_id: iid, patient_id: patientId } = row;
  const form = reportForm.parse(row.form);
  const sources = (await loadSources(db, { iid, patientId, form, at: row.saved_at })) ?? refuse("notFound");
  const { number, source, writer } = row;
  const frame = { number, source, previous, writer, writtenAt: row.saved_at, form, signature: null };
  const listed = new Set(form.problems.map(({ findingId }) => findingId));
  return {
    content: reportContent.parse(buildContent(frame, sources)),
    changes: findSourceChanges(
      row.basis,
      toBasis(sources),
      await listTeethChangedSince(db, iid, patientId, row.basis.chartVersion),
    ),
    offered: listProblems(sources.chart.content.teeth).filter(({ findingId }) => !listed.has(findingId)),
    sources,
  };
}

/**
 * Returns the changes between two states of the sources; null: none. `teeth`: those that the chart changed in the
 * meantime.
 */
function findSourceChanges(seenBasis: ReportBasis, currentBasis: ReportBasis, teeth: number[]): ReportChanges | null {
  const changes = {
    patient: patientFactNames.filter((name) => seenBasis.patient[name] !== currentBasis.patient[name]),
    chart: seenBasis.chartVersion !== currentBasis.chartVersion,
    teeth,
    tracing: seenBasis.tracingVersion !== currentBasis.tracingVersion,
  };
  return changes.patient.length > 0 || changes.chart || changes.tracing ? changes : null;
}

async function loadChoices(db: Db, row: ReportRecord): Promise<Report["choices"]> {
  const { institution_id: iid, patient_id: patientId } = row;
  const { analyses, tracings } = await listChoices(db, iid, patientId);
  const images = await listImageChoices(db, iid, patientId);
  return {
    images: images.map(({ thumbnail, ...image }) => ({
      ...image,
      thumbnailUrl:
        thumbnail &&
        createFileUrl(secret(), {
          area: "converted",
          iid,
          sha256: thumbnail,
          name: "thumbnail.webp",
          type: "image/webp",
        }),
    })),
    tracings,
    analyses: analyses.map(({ id, study_id, instance_id, kind, taken, engine, ended_at }) => ({
      id,
      studyId: study_id,
      instanceId: instance_id,
      kind,
      takenAt: taken,
      engine: engine.id,
      version: engine.version,
      level: trustLevelOf(engine, engine.produces),
      endedAt: ended_at,
    })),
  };
}

/** Returns the actions that this person may take now. */
export function openActions(
  row: Pick<ReportRecord, "state" | "signed_by">,
  { principal }: Pick<MemberContext, "principal">,
  isCorrected: boolean,
): ReportAction[] {
  const isAuthor = row.signed_by === principal.uid || principal.role === "clinicAdmin";
  return actionsFrom(reportLifecycle, row.state).filter((action) => {
    const { by } = reportLifecycle.steps[action];
    if (action === "amend" && isCorrected) return false;
    return by.some(
      (party) =>
        party === "writer" ||
        (party === "author" && isAuthor) ||
        (party === "dentist" && hasAccess(dentistRoles, principal.role)),
    );
  });
}
