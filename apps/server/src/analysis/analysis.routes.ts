import { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import { archiveUrl } from "../platform/http/archive-routes.ts";
import { noteUnneeded, clearStore } from "../platform/storage/blob-references.ts";
import { usedAnalyses } from "../platform/upload/quota.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { startAnalyses } from "./analysis.start.ts";
import { analysesOf, findAnalyses, move } from "./analysis.store.ts";
import { analysisShown, detailShown } from "./analysis.view.ts";
import { engineTrustOf } from "./engine-trust.ts";
import { installPack, setRemote } from "./engines.install.ts";
import {
  deleteEngine,
  engineOf,
  enginesOf,
  engineShown,
  infoOf,
  isOn,
  packsAllowed,
  setPacksAllowed,
  setState,
  setTrial,
} from "./engines.store.ts";
import { imagesOf, isThere, looksAt } from "./images.ts";
import { settle } from "./quota.store.ts";
import { trialOf } from "./trial-file.ts";
import { trainingCount } from "./training.store.ts";

export const analysisRoutes = routes(analysisCalls, {
  engines: async (_, { db, asker, config }) => ({
    engines: (await enginesOf(db, asker.iid)).map((one) => engineShown(one, asker.role === "clinicAdmin")),
    quota: await usedAnalyses(db, asker.iid),
    packs: { allowed: await packsAllowed(db, asker.iid), unsigned: engineTrustOf(config).packs.unsigned },
  }),
  start: async ({ studyId, imageId, engine: name }, context) => {
    const { db, asker } = context;
    const engine = (await engineOf(db, asker.iid, name)) ?? refuse("notFound");
    if (!isOn(engine)) refuse("engineOff");
    if (engine.source === "pack" && !(await packsAllowed(db, asker.iid))) refuse("packsForbidden");
    if (!(await isThere(db, asker.iid, { studyId }))) refuse("notFound");
    const all = await imagesOf(db, asker.iid, studyId, imageId);
    const images = all.filter((image) => looksAt(infoOf(engine), image));
    if (images.length === 0) refuse("analysisNothing");
    const ids = await startAnalyses(db, { iid: asker.iid, engine, images, by: asker.uid });
    const rows = await findAnalyses(db, asker.iid, ids);
    context.subject = studyId;
    context.detail = { patient: rows[0]?.patient_id, engine: infoOf(engine).id, images: ids.length };
    return rows.map(analysisShown);
  },
  cancel: async ({ id }, context) => {
    const { db, asker } = context;
    const { patient_id: patient } = await one(context, id);
    const ended = (await move(db, { iid: asker.iid, id }, "cancel")) ?? refuse("analysisOver");
    await settle(db, ended, "release");
    context.detail = { patient };
    return analysisShown(await one(context, id));
  },
  list: async (wish, context) => {
    context.subject = wish.patientId;
    if (!(await isThere(context.db, context.asker.iid, wish))) refuse("notFound");
    return (await analysesOf(context.db, context.asker.iid, wish)).map(analysisShown);
  },
  detail: async ({ id }, context) => {
    const row = await one(context, id);
    context.detail = { patient: row.patient_id };
    return detailShown(context.db, row);
  },

  installPack: { apart: ({ upload }, context) => installPack(context, upload) },
  allowPacks: async ({ institutionId, allowed }, context) => {
    const { db, asker } = context;
    context.subject = institutionId;
    context.detail = { allowed };
    const isKnown = await bypassTenantScope(db, () => setPacksAllowed(db, institutionId, { allowed, by: asker.uid }));
    return isKnown ? { allowed } : refuse("notFound");
  },
  setRemote: { apart: (wish, context) => setRemote(context, wish) },
  addTrial: async ({ id, file }, context) => {
    const engine = await removable(context, id);
    const pack = engine.source === "pack" ? engine.row : refuse("notFound");
    const trial = trialOf(pack, file, context.config.TRIAL_KEYS);
    await setTrial(context.db, pack, trial);
    context.detail = { engine: pack.engine_id, version: pack.engine_version, by: trial.by, faults: trial.faults };
    return engineShown((await engineOf(context.db, context.asker.iid, id)) ?? refuse("notFound"), true);
  },
  switchEngine: async ({ id, on }, context) => {
    const { db, asker } = context;
    const engine = await removable(context, id);
    await setState(db, engine, on ? "on" : "off");
    context.detail = { engine: infoOf(engine).id, on };
    return engineShown((await engineOf(db, asker.iid, id)) ?? refuse("notFound"), true);
  },
  removeEngine: async ({ id }, context) => {
    const { db, asker, database, afterCommit } = context;
    const engine = await removable(context, id);
    await deleteEngine(db, engine);
    context.detail = { engine: infoOf(engine).id, removed: true };
    if (engine.source === "pack") {
      await noteUnneeded(db, asker.iid, [{ area: "originals", sha256: engine.row.sha256 }]);
      afterCommit.push(async () => void (await clearStore((work) => database.asSystem(work), asker.iid)));
    }
    return null;
  },

  training: (_, { db, asker }) => trainingCount(db, asker.iid),
  exportTraining: async (_, context) => {
    const { asker, now, db } = context;
    context.detail = { ...(await trainingCount(db, asker.iid)) };
    return { url: archiveUrl("training", asker.iid, asker.iid, now) };
  },
});

const one = async ({ db, asker }: MemberContext, id: string) =>
  (await findAnalyses(db, asker.iid, [id]))[0] ?? refuse("notFound");

async function removable({ db, asker }: MemberContext, id: string) {
  const engine = await engineOf(db, asker.iid, id);
  return !engine || engine.source === "builtIn" ? refuse("notFound") : engine;
}
