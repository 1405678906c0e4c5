import { defineQueue } from "../../platform/jobs/jobs.ts";
import { createHash } from "node:crypto";
import type { Db } from "../../platform/database/database.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { jobs } from "../../platform/runtime/services.ts";
import { insertAnalysis, findSameAnalysis, type NewAnalysis } from "./analysis.store.ts";
import { engineInfoOf, type InstalledEngine } from "../engines/engines.store.ts";
import type { AnalysableImage } from "./analysable-images.store.ts";
import { reserveQuota } from "./quota-reservation.store.ts";

export interface AnalysisKey {
  iid: string;
  id: string;
}
/** Automatic analyses have queues of their own, so that no requested analysis waits behind them. */
export const analysisQueues = {
  free: defineQueue<AnalysisKey>("analysis.measure"),
  uploaded: defineQueue<AnalysisKey>("analysis.uploaded"),
  asked: defineQueue<AnalysisKey>("analysis.run"),
} as const;

interface StartRequest {
  iid: string;
  engine: InstalledEngine;
  images: readonly AnalysableImage[];
  /** Null: it starts automatically. */
  by: string | null;
}

/** Starts the analyses that have no result yet and reserves their cost; returns the analysis of each image. */
export async function startAnalyses(db: Db, { iid, engine, images, by }: StartRequest): Promise<string[]> {
  const info = engineInfoOf(engine);
  const of = { engine: info, engine_id: info.id, engine_version: info.version, params_hash: hashParameters(engine) };
  const [ids, fresh]: [string[], string[]] = [[], []];
  // Everybody uses the same order: two parallel requests for the same images wait for each other without a deadlock.
  for (const image of images.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1))) {
    const place = { study_id: image.studyId, series_id: image.seriesId, instance_id: image.instanceId };
    const row = { institution_id: iid, image_sha256: image.sha256, ...place, ...of };
    const { id, isNew } = await insertOnce(db, { ...row, id: newId(), cost: info.quotaCost, started_by: by });
    ids.push(id);
    if (isNew) fresh.push(id);
  }
  // The lock on the quota is taken last: its holder waits for nobody.
  for (const id of fresh) await reserveQuota(db, iid, id, info.quotaCost);
  const queue = analysisQueues[by !== null ? "asked" : engine.source === "builtIn" ? "free" : "uploaded"];
  for (const id of fresh) await jobs().send(db, queue, { iid, id }, { group: iid });
  return ids;
}

/** A model with the same name and another content is a different request. */
const hashParameters = (engine: InstalledEngine): string => {
  const model =
    engine.source === "remote"
      ? [engine.row.address, engine.row.model, engine.row.model_version, engine.row.manifest]
      : [engineInfoOf(engine).card.sha256];
  return createHash("sha256")
    .update(JSON.stringify({ params: {}, model }))
    .digest("hex");
};

async function insertOnce(db: Db, row: NewAnalysis): Promise<{ id: string; isNew: boolean }> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const made = await insertAnalysis(db, row);
    if (made) return { id: made, isNew: true };
    const known = await findSameAnalysis(db, row);
    if (!known) continue;
    await moveToStudy(db, known, row);
    return { id: known, isNew: false };
  }
  return refuse("internal");
}

/**
 * The same bytes are in another study: the result is shown where a person requested it last. An automatic start takes no
 * result from a study: the film may have been uploaded to the wrong patient. A removed study shows nothing any more.
 */
const moveToStudy = (
  db: Db,
  id: string,
  { institution_id: iid, study_id, series_id, instance_id, started_by: by }: NewAnalysis,
) =>
  db
    .updateTable("analysis")
    .set({ study_id, series_id, instance_id })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("study_id", "<>", study_id)
    .$if(by === null, (update) =>
      update.where((one) =>
        one.exists(
          one
            .selectFrom("study as s")
            .whereRef("s.institution_id", "=", "analysis.institution_id")
            .whereRef("s.id", "=", "analysis.study_id")
            .where("s.deleted_at", "is not", null),
        ),
      ),
    )
    .execute();
