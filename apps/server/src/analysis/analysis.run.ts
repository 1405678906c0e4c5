import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { analysisRules, type AnalysisError } from "@arcada/contract/analysis/analysis.rules";
import { isQualityCode } from "@arcada/contract/analysis/observation";
import type { Database, Db } from "../platform/database/database.ts";
import { Refused } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import { choiceOf, sourceOf, withPaths } from "./analysis.source.ts";
import type { AnalysisKey } from "./analysis.start.ts";
import { because, beat, hold, insertSeen, move, silent, type AnalysisRecord } from "./analysis.store.ts";
import { engineNamed, isOn, packsAllowed } from "./engines.store.ts";
import { logFault, runEngine } from "./engine-run.ts";
import type { ArtefactFile, EngineOutcome, EngineTask } from "./engine-task.ts";
import type { EngineTrust } from "./engine-trust.ts";
import { settle } from "./quota.store.ts";

interface Running {
  database: Database;
  trust: EngineTrust;
  run?: typeof runEngine;
}
type Done = Extract<EngineOutcome, { state: "done" }>;

/**
 * Runs one waiting analysis. One that is running already is left alone: if its runner has died, the sweeper ends it,
 * and it may be requested again.
 */
export async function runAnalysis(running: Running, key: AnalysisKey, signal: AbortSignal): Promise<void> {
  const { database } = running;
  const row = await database.asSystem((db) => move(db, key, "begin", sql`, started_at = now(), ${hold}`));
  if (!row) return;
  const folder = await mkdtemp(path.join(tmpdir(), "arcada-analysis-"));
  try {
    const outcome = await answer(running, row, { signal, folder });
    if (outcome === "taken") return;
    if (typeof outcome === "string") return await database.asSystem((db) => fail(db, key, outcome));
    const artefacts = await keepArtefacts(key.iid, outcome.artefacts);
    await database.asSystem((db) => finish(db, key, outcome, artefacts));
  } catch (error) {
    await database.asSystem((db) => fail(db, key, signal.aborted ? "interrupted" : "internal"));
    if (!signal.aborted) throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Asked {
  signal: AbortSignal;
  folder: string;
}
/** Returns the engine's result or the error; "taken" if someone ended the analysis in the meantime. */
async function answer(
  { database, trust, run = runEngine }: Running,
  row: AnalysisRecord,
  { signal, folder }: Asked,
): Promise<Done | AnalysisError | "taken"> {
  const { institution_id: iid, id } = row;
  const found = await database.asSystem(async (db) => ({
    engine: await engineNamed(db, iid, row),
    source: await sourceOf(db, row),
    packs: await packsAllowed(db, iid),
  }));
  if (!found.engine || !isOn(found.engine)) return "engineMissing";
  if (found.engine.source === "pack" && !found.packs) return "packsForbidden";
  if (!found.source) return "imageMissing";
  const choice = choiceOf(found.engine, trust);
  const { source } = found;
  const heart = beating(database, { iid, id });
  try {
    const outcome = await withPaths(iid, [...choice.files, ...source.files], (paths) => {
      const task: EngineTask = {
        engine: choice.given(paths.slice(0, choice.files.length)),
        source: source.given(paths.slice(choice.files.length)),
        out: folder,
      };
      return run(task, { signal: AbortSignal.any([signal, heart.taken]), onProgress: heart.progress });
    });
    if (outcome.state === "done") return outcome;
    logFault(`analysis ${id}`, outcome);
    return outcome.fault;
  } catch (error) {
    if (heart.taken.aborted) return "taken";
    if (error instanceof Refused && ["notFound", "fileDamaged"].includes(error.refusal)) return "imageMissing";
    throw error;
  } finally {
    await heart.stop();
  }
}

/**
 * Reports regularly that the analysis is being worked on, and its progress; `taken` is aborted when the analysis is no
 * longer ours.
 */
function beating(database: Database, key: AnalysisKey) {
  const taken = new AbortController();
  let progress = 0;
  let last: Promise<void> = Promise.resolve();
  const once = async () => {
    const ours = await database.asSystem((db) => beat(db, key, progress)).catch(() => true);
    if (!ours) taken.abort(new Error("the analysis was taken away"));
  };
  const timer = setInterval(() => (last = once()), analysisRules.beatSeconds * 1000);
  return {
    taken: taken.signal,
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

async function finish(db: Db, key: AnalysisKey, outcome: Done, artefacts: readonly Kept[]): Promise<void> {
  const row = await move(db, key, "finish", sql`, progress = 1`);
  // The analysis was cancelled at the last moment: none of its results count.
  if (!row) return;
  await insertSeen(db, key, outcome.observations, outcome.abstentions);
  for (const { code, sha256, ...info } of artefacts)
    await db
      .insertInto("analysis_artefact")
      .values({ institution_id: key.iid, analysis_id: key.id, code, sha256, info })
      .execute();
  await settle(db, row, isAnswer(outcome) ? "commit" : "release");
}

/** "Nothing found" is a result; "I cannot say anything about this image" is none, and costs nothing. */
const isAnswer = ({ observations, abstentions }: Pick<Done, "observations" | "abstentions">): boolean =>
  observations.some(({ code }) => !isQualityCode(code)) || abstentions.length === 0;

/** Ends an analysis that does not continue and returns its reserved quota; it may be requested again. */
export async function fail(db: Db, key: AnalysisKey, error: AnalysisError): Promise<void> {
  const row = await move(db, key, "fail", because(error));
  if (row) await settle(db, row, "release");
}

/** Ends the analyses whose runner has died. */
export const sweepAnalyses = (database: Database): Promise<number> =>
  database.asSystem(async (db) => {
    const found = await silent(db);
    for (const key of found) await fail(db, key, "interrupted");
    return found.length;
  });
