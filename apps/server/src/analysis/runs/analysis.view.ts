import { actionsFrom } from "@arcada/contract/kernel/lifecycle";
import { trustLevelOf } from "@arcada/contract/analysis/trust-levels";
import type { AnalysisDetail, AnalysisRow, SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import { analysisLifecycle } from "@arcada/contract/analysis/analysis.lifecycle";
import { createFileUrl } from "../../platform/storage/file-url.ts";
import { secret } from "../../platform/runtime/services.ts";
import type { Db } from "../../platform/database/database.ts";
import { listArtefacts, listObservations, type ListedAnalysis, type ObservationRow } from "./analysis.store.ts";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";

export const toAnalysisRow = (row: ListedAnalysis): AnalysisRow => ({
  ...pickColumns(
    row,
    "id",
    "study_id",
    "series_id",
    "instance_id",
    "study_kind",
    "taken_at",
    "state",
    "progress",
    "error",
    "created_at",
    "ended_at",
    "open",
    "observations",
    "turn",
  ),
  thumbnailUrl: row.thumbnail && buildFileUrl(row.institution_id, row.thumbnail, "thumbnail.webp", "image/webp"),
  engine: { ...row.engine, level: trustLevelOf(row.engine, row.engine.produces) },
  startedBy: row.starter,
  abstentions: row.abstentions.length,
  actions: actionsFrom(analysisLifecycle, row.state).filter((action) => {
    const by: readonly string[] = analysisLifecycle.steps[action].by;
    return by.includes("clinician");
  }),
});

export async function toAnalysisDetail(db: Db, row: ListedAnalysis): Promise<AnalysisDetail> {
  const { institution_id: iid, id } = row;
  return {
    ...toAnalysisRow(row),
    patientId: row.patient_id,
    info: row.engine,
    imageSha256: row.image_sha256,
    seen: (await listObservations(db, iid, id)).map(toObservation),
    notAnswered: row.abstentions,
    artefacts: (await listArtefacts(db, iid, id)).map(({ code, sha256, info: { columns, rows } }) => ({
      code,
      columns,
      rows,
      url: buildFileUrl(iid, sha256, `${code}.png`, "image/png"),
    })),
  };
}

const toObservation = ({ decision, decider, decided_at, reason, ...seen }: ObservationRow): SeenObservation => ({
  ...seen,
  decision: decision && { what: decision, by: decider ?? "", at: decided_at ?? "", reason },
});

const buildFileUrl = (iid: string, sha256: string, name: string, type: string): string =>
  createFileUrl(secret(), { area: "converted", iid, sha256, name, type });
