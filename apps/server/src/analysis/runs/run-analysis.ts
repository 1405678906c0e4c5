import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { analysisRules, type AnalysisError } from "@arcada/contract/analysis/analysis.rules";
import { isQualityCode } from "@arcada/contract/analysis/observation";
import type { Database, Db } from "../../platform/database/database.ts";
import { Refused } from "../../platform/http/refuse.ts";
import { files } from "../../platform/runtime/services.ts";
import { withLocalPaths } from "../../platform/storage/local-paths.ts";
import { toEngineChoice, findEngineSource } from "./find-engine-input-files.ts";
import type { AnalysisKey } from "./start-analyses.ts";
import {
  withError,
  extendLease,
  leaseExtension,
  insertResults,
  transitionAnalysis,
  listExpiredLeases,
  type AnalysisRecord,
} from "./analysis.store.ts";
import { findEngineVersion, isEngineOn, arePacksAllowed } from "../engines/engines.store.ts";
import { logEngineFault, runEngine } from "../engines/run-engine.ts";
import type { ArtefactFile, EngineOutcome, EngineTask } from "../engines/engine-task-types.ts";
import type { EngineTrust } from "../engines/engine-trust-settings.ts";
import { settleQuota } from "./quota-reservation.store.ts";

interface RunContext {
  database: Database;
  trust: EngineTrust;
  run?: typeof runEngine;
}
type DoneOutcome = Extract<EngineOutcome, { state: "done" }>;

/**
 * Runs one waiting analysis. One that is running already is left alone: if its runner has died, the sweeper ends it,
 * and it may be requested again.
 */
export async function runAnalysis(runContext: RunContext, key: AnalysisKey, signal: AbortSignal): Promise<void> {
  const { database } = runContext;
  const row = await database.asSystem((db) =>
    transitionAnalysis(db, key, "begin", sql`, started_at = now(), ${leaseExtension}`),
  );
  if (!row) return;
  const folder = await mkdtemp(path.join(tmpdir(), "arcada-analysis-"));
  try {
    const outcome = await runOutcome(runContext, row, { signal, folder });
    if (outcome === "taken") return;
    if (typeof outcome === "string") return await database.asSystem((db) => failAnalysis(db, key, outcome));
    const artefacts = await keepArtefacts(key.iid, outcome.artefacts);
    await database.asSystem((db) => finish(db, key, outcome, artefacts));
  } catch (error) {
    await database.asSystem((db) => failAnalysis(db, key, signal.aborted ? "interrupted" : "internal"));
    if (!signal.aborted) throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface RunInput {
  signal: AbortSignal;
  folder: string;
}
/** Returns the engine's result or the error; "taken" if someone ended the analysis in the meantime. */
async function runOutcome(
  { database, trust, run = runEngine }: RunContext,
  row: AnalysisRecord,
  { signal, folder }: RunInput,
): Promise<DoneOutcome | AnalysisError | "taken"> {
  const { institution_id: iid, id } = row;
  const found = await database.asSystem(async (db) => ({
    engine: await findEngineVersion(db, iid, row, trust.included),
    source: await findEngineSource(db, row),
    packs: await arePacksAllowed(db, iid),
  }));
  if (!found.engine || !isEngineOn(found.engine)) return "engineMissing";
  if (found.engine.source === "pack" && !found.packs) return "packsForbidden";
  if (!found.source) return "imageMissing";
  const choice = toEngineChoice(found.engine, trust);
  const { source } = found;
  const heartbeat = startHeartbeat(database, { iid, id });
  try {
    const outcome = await withLocalPaths(iid, [...choice.files, ...source.files], (paths) => {
      const task: EngineTask = {
        engine: choice.build(paths.slice(0, choice.files.length)),
        source: source.build(paths.slice(choice.files.length)),
        out: folder,
      };
      return run(task, { signal: AbortSignal.any([signal, heartbeat.taken]), onProgress: heartbeat.progress });
    });
    if (outcome.state === "done") return outcome;
    logEngineFault(`analysis ${id}`, outcome);
    return outcome.fault;
  } catch (error) {
    if (heartbeat.taken.aborted) return "taken";
    if (error instanceof Refused && ["notFound", "fileDamaged"].includes(error.refusal)) return "imageMissing";
    throw error;
  } finally {
    await heartbeat.stop();
  }
}

/**
 * Reports regularly that the analysis is being worked on, and its progress; `taken` is aborted when the analysis is no
 * longer ours.
 */
function startHeartbeat(database: Database, key: AnalysisKey) {
  const leaseLost = new AbortController();
  let progress = 0;
  let last: Promise<void> = Promise.resolve();
  const once = async () => {
    const ours = await database.asSystem((db) => extendLease(db, key, progress)).catch(() => true);
    if (!ours) leaseLost.abort(new Error("the analysis was taken away"));
  };
  const timer = setInterval(() => (last = once()), analysisRules.heartbeatSeconds * 1000);
  return {
    taken: leaseLost.signal,
    progress: (share: number) => void (progress = Math.min(1, Math.max(progress, share))),
    stop: async () => {
      clearInterval(timer);
      await last;
    },
  };
}

interface Kept extends Omit<ArtefactFile, "path" | "type"> {
  sha256: string;
}
async function keepArtefacts(iid: string, made: readonly ArtefactFile[]): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (const { path: at, type: _, ...info } of made)
    kept.push({ ...info, sha256: (await files().adopt("converted", iid, at)).sha256 });
  return kept;
}

async function finish(db: Db, key: AnalysisKey, outcome: DoneOutcome, artefacts: readonly Kept[]): Promise<void> {
  const row = await transitionAnalysis(db, key, "finish", sql`, progress = 1`);
  // The analysis was cancelled at the last moment: none of its results count.
  if (!row) return;
  await insertResults(db, key, outcome.observations, outcome.abstentions);
  for (const { code, sha256, ...info } of artefacts)
    await db
      .insertInto("analysis_artefact")
      .values({ institution_id: key.iid, analysis_id: key.id, code, sha256, info })
      .execute();
  await settleQuota(db, row, isBillable(outcome) ? "commit" : "release");
}

/** "Nothing found" is a result; "I cannot say anything about this image" is none, and costs nothing. */
const isBillable = ({ observations, abstentions }: Pick<DoneOutcome, "observations" | "abstentions">): boolean =>
  observations.some(({ code }) => !isQualityCode(code)) || abstentions.length === 0;

/** Ends an analysis that does not continue and returns its reserved quota; it may be requested again. */
export async function failAnalysis(db: Db, key: AnalysisKey, error: AnalysisError): Promise<void> {
  const row = await transitionAnalysis(db, key, "fail", withError(error));
  if (row) await settleQuota(db, row, "release");
}

/** Ends the analyses whose runner has died. */
export const sweepAnalyses = (database: Database): Promise<number> =>
  database.asSystem(async (db) => {
    const found = await listExpiredLeases(db);
    for (const key of found) await failAnalysis(db, key, "interrupted");
    return found.length;
  });
