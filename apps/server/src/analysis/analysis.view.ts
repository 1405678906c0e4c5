import { actionsFrom } from "@arcada/contract/kernel/cycle";
import { levelOf } from "@arcada/contract/analysis/honesty";
import type { AnalysisDetail, AnalysisRow, SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import { analysisCycle } from "@arcada/contract/analysis/analysis.cycle";
import { fileUrl } from "../platform/storage/file-url.ts";
import { secret } from "../platform/runtime/services.ts";
import type { Db } from "../platform/database/database.ts";
import { artefactsOf, observationsOf, type ListedAnalysis, type SeenRow } from "./analysis.store.ts";

export const analysisShown = (row: ListedAnalysis): AnalysisRow => ({
  id: row.id,
  studyId: row.study_id,
  seriesId: row.series_id,
  instanceId: row.instance_id,
  studyKind: row.study_kind,
  takenAt: row.taken_at,
  thumbnailUrl: row.thumbnail && addressOf(row.institution_id, row.thumbnail, "thumbnail.webp", "image/webp"),
  engine: { ...row.engine, level: levelOf(row.engine, row.engine.produces) },
  state: row.state,
  progress: row.progress,
  error: row.error,
  startedBy: row.starter,
  createdAt: row.created_at,
  endedAt: row.ended_at,
  open: row.open,
  observations: row.observations,
  abstentions: row.abstentions.length,
  actions: actionsFrom(analysisCycle, row.state).filter((action) => {
    const by: readonly string[] = analysisCycle.steps[action].by;
    return by.includes("clinician");
  }),
});

export async function detailShown(db: Db, row: ListedAnalysis): Promise<AnalysisDetail> {
  const { institution_id: iid, id } = row;
  return {
    ...analysisShown(row),
    patientId: row.patient_id,
    info: row.engine,
    imageSha256: row.image_sha256,
    seen: (await observationsOf(db, iid, id)).map(seenShown),
    notAnswered: row.abstentions,
    artefacts: (await artefactsOf(db, iid, id)).map(({ code, sha256, info: { columns, rows } }) => ({
      code,
      columns,
      rows,
      url: addressOf(iid, sha256, `${code}.png`, "image/png"),
    })),
  };
}

const seenShown = ({ decision, decider, decided_at, reason, ...seen }: SeenRow): SeenObservation => ({
  ...seen,
  decision: decision && { what: decision, by: decider ?? "", at: decided_at ?? "", reason },
});

const addressOf = (iid: string, sha256: string, name: string, type: string): string =>
  fileUrl(secret(), { area: "converted", iid, sha256, name, type });
