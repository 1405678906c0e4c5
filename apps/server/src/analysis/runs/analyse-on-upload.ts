import { analysisRules, modalityByKind } from "@arcada/contract/analysis/analysis.rules";
import type { Db } from "../../platform/database/database.ts";
import type { EventData } from "../../platform/events/events.ts";
import { Refused } from "../../platform/http/refuse.ts";
import { defineQueue } from "../../platform/jobs/jobs.ts";
import { jobs } from "../../platform/runtime/services.ts";
import type { studyMoved, studyReady } from "../../study/study.events.ts";
import {
  arePacksAllowed,
  engineIdOf,
  engineInfoOf,
  listEngines,
  type InstalledEngine,
} from "../engines/engines.store.ts";
import type { IncludedPacks } from "../engines/included-packs.ts";
import { canAnalyse, listImages } from "./analysable-images.store.ts";
import { listOnUpload } from "./engine-on-upload.store.ts";
import { startAnalyses } from "./start-analyses.ts";

interface NewStudy {
  iid: string;
  study: string;
}
/** Chooses the engine for a new study. A job, because a used-up quota must not undo the upload. */
export const newStudyQueue = defineQueue<NewStudy>("analysis.onUpload");

export async function analyseNewStudy(db: Db, { again, institution, studyId }: EventData<typeof studyReady>) {
  if (!again) await sendNewStudy(db, { iid: institution, study: studyId });
}

/** Analyses a study that waited in the inbox as soon as somebody says whose it is. */
export async function analyseAssignedStudy(db: Db, { from, institution, studyId }: EventData<typeof studyMoved>) {
  if (from === null) await sendNewStudy(db, { iid: institution, study: studyId });
}

const sendNewStudy = (db: Db, study: NewStudy) =>
  jobs().send(db, newStudyQueue, study, { singletonKey: study.study, group: study.iid });

/** Starts the engine that the clinic has chosen for images of this kind; nothing, if no analyses are left. */
export async function startOnUpload(db: Db, { iid, study }: NewStudy, included: IncludedPacks): Promise<void> {
  const images = await listImages(db, iid, study);
  const modality = images[0] && modalityByKind[images[0].kind];
  if (!modality || !(await isRecent(db, iid, study))) return;
  const engines = await listEngines(db, iid, included);
  const chosen = (await listOnUpload(db, iid, engines)).find((one) => one.modality === modality)?.engine;
  const engine = engines.find((one) => engineIdOf(one) === chosen);
  if (!engine || !(await mayRun(db, iid, engine))) return;
  const fitting = images.filter((image) => canAnalyse(engineInfoOf(engine), image));
  await startAnalyses(db, { iid, engine, images: fitting, by: null });
}

/** True for images without a date, too: they were most likely taken today. */
async function isRecent(db: Db, iid: string, study: string): Promise<boolean> {
  const { taken_at: taken } = await db
    .selectFrom("study")
    .select("taken_at")
    .where("institution_id", "=", iid)
    .where("id", "=", study)
    .executeTakeFirstOrThrow();
  return taken === null || Date.now() - Date.parse(taken) < analysisRules.onUploadDays * 86_400_000;
}

const mayRun = async (db: Db, iid: string, { source }: InstalledEngine): Promise<boolean> =>
  source !== "pack" || arePacksAllowed(db, iid);

/** A clinic without analyses left simply gets none by itself; its people still see the reason when they ask for one. */
export async function unlessUsedUp(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Refused && error.refusal === "analysisQuota")) throw error;
  }
}
