import type { Report, ReportRow } from "@arcada/contract/report/report.calls";
import { levelOf } from "@arcada/contract/analysis/honesty";
import { actionsFrom } from "@arcada/contract/kernel/cycle";
import { reportCycle } from "@arcada/contract/report/report.cycle";
import type { ReportAction } from "@arcada/contract/report/report.cycle";
import { reportContent, reportForm } from "@arcada/contract/report/report.shape";
import type { ReportChanges, ReportContent } from "@arcada/contract/report/report.shape";
import type { MemberContext } from "../platform/http/request-context.ts";
import type { Db } from "../platform/database/database.ts";
import { fileUrl } from "../platform/storage/file-url.ts";
import { refuse } from "../platform/http/refuse.ts";
import { secret } from "../platform/runtime/services.ts";
import { changesOf } from "./report.changes.ts";
import { basisOf, contentOf, problemsOf } from "./report.content.ts";
import { toothDetailUrl } from "./report.pictures.ts";
import { choicesOf, imageChoicesOf, sourcesOf, teethSince } from "./report.sources.ts";
import type { Sources } from "./report.sources.ts";
import { kinOf, licenceOf, papersOf, reportById } from "./report.store.ts";
import type { ReportRecord } from "./report.store.ts";

export const rowOf = (row: ReportRecord): ReportRow => ({
  id: row.id,
  patientId: row.patient_id,
  patientName: row.patient_name,
  number: row.number,
  source: row.source,
  state: row.state,
  score: row.score,
  createdAt: row.created_at,
  savedAt: row.saved_at,
  writer: row.writer,
  signer: row.signer,
  signedAt: row.signed_at,
});

/** A report with all that its reader sees of it. */
export async function viewReport(context: MemberContext, id: string): Promise<Report> {
  const { db, asker } = context;
  const row = (await reportById(db, asker.iid, id)) ?? refuse("notFound");
  const kin = await kinOf(db, asker.iid, id, row.previous_id);
  const said = await saidNow(db, row, kin.previous?.number ?? null);
  return {
    ...rowOf(row),
    score: said.content.score.score,
    version: row.version,
    form: said.content.form,
    content: said.content,
    toothDetailImageUrl: await toothDetailUrl(db, { iid: asker.iid, id }, said.content),
    changes: said.changes,
    offered: said.offered,
    choices: said.sources ? await choicesShown(db, row) : { images: [], analyses: [], tracings: [] },
    licence: row.licence,
    sha256: row.sha256,
    papers: await papersOf(db, asker.iid, id),
    ...kin,
    ended: row.ended_at ? { by: row.ender, at: row.ended_at, reason: row.reason ?? "" } : null,
    actions: actionsOf(row, context, kin.next !== null),
    ownLicence: said.sources ? await licenceOf(db, asker.iid, asker.uid) : null,
  };
}

interface Said {
  content: ReportContent;
  changes: ReportChanges | null;
  offered: Report["offered"];
  /** Null: the report is signed, and keeps its content. */
  sources: Sources | null;
}
/**
 * Returns the content of a report now: of a signed one what was signed, of a draft what it would contain if it were
 * signed now.
 */
export async function saidNow(db: Db, row: ReportRecord, previous: string | null): Promise<Said> {
  if (row.content) return { content: reportContent.parse(row.content), changes: null, offered: [], sources: null };
  const { institution_id: iid, patient_id: patientId } = row;
  const form = reportForm.parse(row.form);
  const sources = (await sourcesOf(db, { iid, patientId, form, at: row.saved_at })) ?? refuse("notFound");
  const { number, source, writer } = row;
  const frame = { number, source, previous, writer, writtenAt: row.saved_at, form, signature: null };
  const listed = new Set(form.problems.map(({ findingId }) => findingId));
  return {
    content: reportContent.parse(contentOf(frame, sources)),
    changes: changesOf(row.basis, basisOf(sources), await teethSince(db, iid, patientId, row.basis.chartVersion)),
    offered: problemsOf(sources.chart.content.teeth).filter(({ findingId }) => !listed.has(findingId)),
    sources,
  };
}

async function choicesShown(db: Db, row: ReportRecord): Promise<Report["choices"]> {
  const { institution_id: iid, patient_id: patientId } = row;
  const { analyses, tracings } = await choicesOf(db, iid, patientId);
  const images = await imageChoicesOf(db, iid, patientId);
  return {
    images: images.map(({ thumbnail, ...image }) => ({
      ...image,
      thumbnailUrl:
        thumbnail &&
        fileUrl(secret(), { area: "converted", iid, sha256: thumbnail, name: "thumbnail.webp", type: "image/webp" }),
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
      level: levelOf(engine, engine.produces),
      endedAt: ended_at,
    })),
  };
}

/** Returns the actions that this person may take now. */
export function actionsOf(
  row: Pick<ReportRecord, "state" | "signed_by">,
  { asker }: Pick<MemberContext, "asker">,
  isCorrected: boolean,
): ReportAction[] {
  const isAuthor = row.signed_by === asker.uid || asker.role === "clinicAdmin";
  return actionsFrom(reportCycle, row.state).filter((action) => {
    const { by } = reportCycle.steps[action];
    if (action === "amend" && isCorrected) return false;
    return by.some((party) => party === "writer" || (party === "author" && isAuthor));
  });
}
