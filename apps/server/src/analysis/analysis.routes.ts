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
  type AddedEngine,
} from "./engines/engines.store.ts";
import { readIncludedPacks } from "./engines/included-packs.ts";
import { listIncluded, setAudience, toIncluded } from "./engines/included-packs.store.ts";
import { listOnUpload, setOnUpload } from "./runs/engine-on-upload.store.ts";
import { listImages, isAnalysable, canAnalyse } from "./runs/analysable-images.store.ts";
import { settleQuota } from "./runs/quota-reservation.store.ts";
import { verifyTrial } from "./trial/verify-pack-trial.ts";
import { countTrainingImages } from "./training/training.store.ts";

export const analysisRoutes = routes(analysisCalls, {
  engines: async (_, context) => {
    const { db, principal, config } = context;
    const { packs, included } = readEngineTrust(config);
    const engines = await listEngines(db, principal.iid, included);
    return {
      engines: engines.map((one) => toEngine(one, principal.role === "clinicAdmin")),
      quota: await readAnalysisUsage(db, principal.iid),
      packs: { allowed: await arePacksAllowed(db, principal.iid), unsigned: packs.unsigned },
      onUpload: await listOnUpload(db, principal.iid, engines),
    };
  },
  start: async ({ studyId, imageId, engine: name }, context) => {
    const { db, principal } = context;
    const engine = (await findOwnEngine(context, name)) ?? refuse("notFound");
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
  included: (_, { db, config }) => bypassTenantScope(db, () => listIncluded(db, readEngineTrust(config).included)),
  switchIncluded: async ({ engine, audience, institutionIds }, context) => {
    const { db, principal, config } = context;
    context.detail = { engine, audience, clinics: audience === "chosen" ? institutionIds : [] };
    return bypassTenantScope(db, async () => {
      const { packs } = await readIncludedPacks(readEngineTrust(config).included);
      const pack = packs.find(({ info }) => info.id === engine) ?? refuse("notFound");
      const isKnown = await setAudience(db, engine, { audience, institutionIds, by: principal.uid });
      return isKnown ? toIncluded(db, pack) : refuse("notFound");
    });
  },
  setOnUpload: async ({ modality, engine }, context) => {
    const { db, principal, config } = context;
    const engines = await listEngines(db, principal.iid, readEngineTrust(config).included);
    const choice = (await listOnUpload(db, principal.iid, engines)).find((one) => one.modality === modality);
    if (!choice || (engine !== null && !choice.choices.includes(engine))) return refuse("notFound");
    await setOnUpload(db, principal.iid, { modality, engine, by: principal.uid });
    context.detail = { modality, engine };
    return listOnUpload(db, principal.iid, engines);
  },
  setRemote: { manualTransaction: (input, context) => setRemote(context, input) },
  addTrial: async ({ id, file }, context) => {
    const engine = await requireRemovableEngine(context, id);
    const pack = engine.source === "pack" ? engine.row : refuse("notFound");
    const trial = verifyTrial(pack, file, context.config.TRIAL_KEYS);
    await setPackTrial(context.db, pack, trial);
    context.detail = { engine: pack.engine_id, version: pack.engine_version, by: trial.by, faults: trial.faults };
    return toEngine((await findOwnEngine(context, id)) ?? refuse("notFound"), true);
  },
  switchEngine: async ({ id, on }, context) => {
    const engine = await requireRemovableEngine(context, id);
    await setEngineState(context.db, engine, on ? "on" : "off");
    context.detail = { engine: engineInfoOf(engine).id, on };
    return toEngine((await findOwnEngine(context, id)) ?? refuse("notFound"), true);
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

const findOwnEngine = ({ db, principal, config }: MemberContext, id: string) =>
  findEngine(db, principal.iid, id, readEngineTrust(config).included);

async function requireRemovableEngine(context: MemberContext, id: string): Promise<AddedEngine> {
  const engine = await findOwnEngine(context, id);
  return engine && "row" in engine ? engine : refuse("notFound");
}
