import { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import { archiveUrl } from "../platform/http/zip-archive-routes.ts";
import { markUnneeded, deleteUnneeded } from "../platform/storage/blob-references.ts";
import { readAnalysisUsage } from "../domain/analysis-quota.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { startAnalyses } from "./runs/start-analyses.ts";
import { listAnalyses, findAnalyses, transitionAnalysis } from "./runs/analysis.store.ts";
import { toAnalysisRow, toAnalysisDetail } from "./runs/analysis.view.ts";
import { readEngineTrust } from "./engines/engine-trust-settings.ts";
import { installPack, setRemote } from "./engines/install-engine.ts";
import {
  deleteEngine,
  findEngine,
  listEngines,
  toEngine,
  engineInfoOf,
  isEngineOn,
  arePacksAllowed,
  setPacksAllowed,
  setEngineState,
  setPackTrial,
} from "./engines/engines.store.ts";
import { listImages, isAnalysable, canAnalyse } from "./runs/analysable-images.store.ts";
import { settleQuota } from "./runs/quota-reservation.store.ts";
import { verifyTrial } from "./trial/verify-pack-trial.ts";
import { countTrainingImages } from "./training/training.store.ts";

export const analysisRoutes = routes(analysisCalls, {
  engines: async (_, { db, principal, config }) => ({
    engines: (await listEngines(db, principal.iid)).map((requireAnalysis) =>
      toEngine(requireAnalysis, principal.role === "clinicAdmin"),
    ),
    quota: await readAnalysisUsage(db, principal.iid),
    packs: { allowed: await arePacksAllowed(db, principal.iid), unsigned: readEngineTrust(config).packs.unsigned },
  }),
  start: async ({ studyId, imageId, engine: name }, context) => {
    const { db, principal } = context;
    const engine = (await findEngine(db, principal.iid, name)) ?? refuse("notFound");
    if (!isEngineOn(engine)) refuse("engineOff");
    if (engine.source === "pack" && !(await arePacksAllowed(db, principal.iid))) refuse("packsForbidden");
    if (!(await isAnalysable(db, principal.iid, { studyId }))) refuse("notFound");
    const all = await listImages(db, principal.iid, studyId, imageId);
    const images = all.filter((image) => canAnalyse(engineInfoOf(engine), image));
    if (images.length === 0) refuse("analysisNothing");
    const ids = await startAnalyses(db, { iid: principal.iid, engine, images, by: principal.uid });
    const rows = await findAnalyses(db, principal.iid, ids);
    context.subject = studyId;
    context.detail = { patient: rows[0]?.patient_id, engine: engineInfoOf(engine).id, images: ids.length };
    return rows.map(toAnalysisRow);
  },
  cancel: async ({ id }, context) => {
    const { db, principal } = context;
    const { patient_id: patient } = await requireAnalysis(context, id);
    const ended = (await transitionAnalysis(db, { iid: principal.iid, id }, "cancel")) ?? refuse("analysisOver");
    await settleQuota(db, ended, "release");
    context.detail = { patient };
    return toAnalysisRow(await requireAnalysis(context, id));
  },
  list: async (input, context) => {
    context.subject = input.patientId;
    if (!(await isAnalysable(context.db, context.principal.iid, input))) refuse("notFound");
    return (await listAnalyses(context.db, context.principal.iid, input)).map(toAnalysisRow);
  },
  detail: async ({ id }, context) => {
    const row = await requireAnalysis(context, id);
    context.detail = { patient: row.patient_id };
    return toAnalysisDetail(context.db, row);
  },

  installPack: { manualTransaction: ({ upload }, context) => installPack(context, upload) },
  allowPacks: async ({ institutionId, allowed }, context) => {
    const { db, principal } = context;
    context.subject = institutionId;
    context.detail = { allowed };
    const isKnown = await bypassTenantScope(db, () =>
      setPacksAllowed(db, institutionId, { allowed, by: principal.uid }),
    );
    return isKnown ? { allowed } : refuse("notFound");
  },
  setRemote: { manualTransaction: (input, context) => setRemote(context, input) },
  addTrial: async ({ id, file }, context) => {
    const engine = await requireRemovableEngine(context, id);
    const pack = engine.source === "pack" ? engine.row : refuse("notFound");
    const trial = verifyTrial(pack, file, context.config.TRIAL_KEYS);
    await setPackTrial(context.db, pack, trial);
    context.detail = { engine: pack.engine_id, version: pack.engine_version, by: trial.by, faults: trial.faults };
    return toEngine((await findEngine(context.db, context.principal.iid, id)) ?? refuse("notFound"), true);
  },
  switchEngine: async ({ id, on }, context) => {
    const { db, principal } = context;
    const engine = await requireRemovableEngine(context, id);
    await setEngineState(db, engine, on ? "on" : "off");
    context.detail = { engine: engineInfoOf(engine).id, on };
    return toEngine((await findEngine(db, principal.iid, id)) ?? refuse("notFound"), true);
  },
  removeEngine: async ({ id }, context) => {
    const { db, principal, database, afterCommit } = context;
    const engine = await requireRemovableEngine(context, id);
    await deleteEngine(db, engine);
    context.detail = { engine: engineInfoOf(engine).id, removed: true };
    if (engine.source === "pack") {
      await markUnneeded(db, principal.iid, [{ area: "originals", sha256: engine.row.sha256 }]);
      afterCommit.push(async () => void (await deleteUnneeded((work) => database.asSystem(work), principal.iid)));
    }
    return null;
  },

  training: (_, { db, principal }) => countTrainingImages(db, principal.iid),
  exportTraining: async (_, context) => {
    const { principal, now, db } = context;
    context.detail = { ...(await countTrainingImages(db, principal.iid)) };
    return { url: archiveUrl("training", principal.iid, principal.iid, now) };
  },
});

const requireAnalysis = async ({ db, principal }: MemberContext, id: string) =>
  (await findAnalyses(db, principal.iid, [id]))[0] ?? refuse("notFound");

async function requireRemovableEngine({ db, principal }: MemberContext, id: string) {
  const engine = await findEngine(db, principal.iid, id);
  return !engine || engine.source === "builtIn" ? refuse("notFound") : engine;
}
