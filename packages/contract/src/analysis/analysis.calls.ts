import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, limited, emptyObject, nullOutput, required, text } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { studyKinds } from "../study/study.rules.ts";
import { analysisLifecycle, analysisStates, type AnalysisAction } from "./analysis.lifecycle.ts";
import { analysisErrors, analysisRules } from "./analysis.rules.ts";
import { engineReasons } from "./engine-reasons.ts";
import { trustLevels } from "./trust-levels.ts";
import { abstention, engineFaults, engineInfo, engineModalities, observation } from "./observation.ts";

const analysisActions = Object.keys(analysisLifecycle.steps) as [AnalysisAction, ...AnalysisAction[]];
const managerRolesOfEngines = ["clinicAdmin"] as const;
/** The id of the built-in engine; packs and servers have the ids of their rows. */
export const builtInEngine = "measurement";

const analysisQuota = z.object({ used: z.int(), allowed: z.int() });

/** Permissions granted by the operator: packs for this institution, and unsigned packs among them. */
const packPermission = z.object({ allowed: z.boolean(), unsigned: z.boolean() });

export const engine = z.object({
  id: z.string(),
  source: z.enum(["builtIn", "included", "pack", "remote"]),
  on: z.boolean(),
  info: engineInfo,
  /** For a pack: the name of the trusted key that signed it. */
  signedBy: z.string().nullable(),
  since: instant.nullable(),
  /** For a remote server, visible to those who manage it. */
  remote: z
    .object({
      address: z.string(),
      model: z.string(),
      modelVersion: z.string().nullable(),
      hasToken: z.boolean(),
      manifest: z.string(),
      card: z.string(),
    })
    .nullable(),
});
export type Engine = z.output<typeof engine>;

/** The clinics for which a pack that comes with the product is switched on. */
export const includedAudiences = ["nobody", "chosen", "all"] as const;
export type IncludedAudience = (typeof includedAudiences)[number];

const includedEngine = z.object({
  info: engineInfo,
  signedBy: z.string().nullable(),
  audience: z.enum(includedAudiences),
  /** The clinics for which it is switched on, if these were chosen. */
  institutions: z.array(z.object({ id, name: z.string() })),
});
export type IncludedEngine = z.output<typeof includedEngine>;

/** A file in the folder of included packs that does not run, and the reason. */
const refusedPack = z.object({
  file: z.string(),
  fault: z.enum(engineFaults),
  reason: z.enum(engineReasons).nullable(),
});

/** The engine that analyses new images of one kind by itself; null: none. `choices`: engines that could. */
const onUpload = z.object({
  modality: z.enum(engineModalities),
  engine: z.string().nullable(),
  choices: z.array(z.string()),
});
export type OnUpload = z.output<typeof onUpload>;

export const analysisRow = z.object({
  id,
  studyId: id,
  seriesId: id,
  /** Null: the series is a volume. */
  instanceId: id.nullable(),
  studyKind: z.enum(studyKinds),
  takenAt: z.string().nullable(),
  thumbnailUrl: z.string().nullable(),
  engine: engineInfo
    .pick({ id: true, version: true, kind: true, quotaCost: true })
    .extend({ level: z.enum(trustLevels) }),
  state: z.enum(analysisStates),
  progress: z.number(),
  error: z.enum(analysisErrors).nullable(),
  startedBy: z.string().nullable(),
  createdAt: instant,
  endedAt: instant.nullable(),
  /** The number of suggestions that wait for a decision. */
  open: z.int(),
  observations: z.int(),
  abstentions: z.int(),
  /** Degrees clockwise that put an intra-oral film upright; null if the engine does not tell. A suggestion. */
  turn: z.int().nullable(),
  actions: z.array(z.enum(analysisActions)),
});
export type AnalysisRow = z.output<typeof analysisRow>;

export const decisions = ["accept", "edit", "reject"] as const;
/** An observation of an engine, with a dentist's decision about it. */
export const observationWithDecision = observation.extend({
  decision: z
    .object({ what: z.enum(decisions), by: z.string(), at: instant, reason: z.string().nullable() })
    .nullable(),
});
export type SeenObservation = z.output<typeof observationWithDecision>;

export const analysisDetail = analysisRow.extend({
  patientId: id.nullable(),
  info: engineInfo,
  imageSha256: z.string(),
  seen: z.array(observationWithDecision),
  notAnswered: z.array(abstention),
  artefacts: z.array(z.object({ code: z.string(), url: z.string(), columns: z.int(), rows: z.int() })),
});
export type AnalysisDetail = z.output<typeof analysisDetail>;

/** The engine that came of it, or why none did. */
const engineOutput = z.object({
  engine: engine.nullable(),
  fault: z.enum(engineFaults).nullable(),
  detail: z.enum(engineReasons).nullable(),
});
const packText = limited(analysisRules.maxTextLength);

export const analysisCalls = {
  engines: call({
    method: "GET",
    path: "/v1/analysis/engines",
    access: clinicRoles,
    summary: "The engines of the organisation with their cards, and the analyses that are left.",
    input: emptyObject,
    output: z.object({
      engines: z.array(engine),
      quota: analysisQuota,
      packs: packPermission,
      onUpload: z.array(onUpload),
    }),
  }),
  start: call({
    method: "POST",
    path: "/v1/analysis/start",
    access: clinicRoles,
    summary:
      "Has an engine look at one image, or at all images of a study; what was answered before is answered again, free.",
    isIdempotent: true,
    audit: "analysis.start",
    input: z.object({ studyId: id, imageId: id.nullish(), engine: limited(80) }),
    output: z.array(analysisRow),
  }),
  cancel: call({
    method: "POST",
    path: "/v1/analysis/cancel",
    access: clinicRoles,
    summary: "Stops an analysis that has not ended; it costs nothing.",
    audit: "analysis.cancel",
    input: z.object({ id }),
    output: analysisRow,
  }),
  list: call({
    method: "GET",
    path: "/v1/analysis/list",
    access: clinicRoles,
    summary: "The analyses of a patient's images, or of one image, newest first.",
    audit: "analysis.list",
    input: z.object({ patientId: id, imageId: id.optional() }),
    output: z.array(analysisRow),
  }),
  detail: call({
    method: "GET",
    path: "/v1/analysis/detail",
    access: clinicRoles,
    summary: "What an engine saw in an image, what it did not answer and why, and what was decided about it.",
    audit: "analysis.read",
    input: z.object({ id }),
    output: analysisDetail,
  }),
  installPack: call({
    method: "POST",
    path: "/v1/analysis/installPack",
    access: managerRolesOfEngines,
    summary: "Installs an engine from an uploaded archive, when all that it says of itself proves true.",
    input: z.object({ upload: id }),
    output: engineOutput,
  }),
  allowPacks: call({
    method: "POST",
    path: "/v1/analysis/allowPacks",
    access: ["operator"],
    summary:
      "Lets an organisation install and run engine packs, or does so no more: models from outside work on this server.",
    isIdempotent: true,
    audit: "analysis.packs",
    input: z.object({ institutionId: id, allowed: z.boolean() }),
    output: z.object({ allowed: z.boolean() }),
  }),
  included: call({
    method: "GET",
    path: "/v1/analysis/included",
    access: ["operator"],
    summary: "The engine packs that come with the product, for whom each is switched on, and files that were refused.",
    input: emptyObject,
    output: z.object({
      engines: z.array(includedEngine),
      refused: z.array(refusedPack),
      clinics: z.array(z.object({ id, name: z.string() })),
    }),
  }),
  switchIncluded: call({
    method: "POST",
    path: "/v1/analysis/switchIncluded",
    access: ["operator"],
    summary: "Switches an engine pack that comes with the product on for all clinics or for chosen ones, or off.",
    isIdempotent: true,
    audit: "analysis.included",
    input: z.object({
      engine: limited(80),
      audience: z.enum(includedAudiences),
      institutionIds: z.array(id).max(analysisRules.maxChosenClinics).default([]),
    }),
    output: includedEngine,
  }),
  setOnUpload: call({
    method: "POST",
    path: "/v1/analysis/setOnUpload",
    access: managerRolesOfEngines,
    summary: "Chooses the engine that analyses new images of a kind by itself, or none.",
    isIdempotent: true,
    audit: "analysis.onUpload",
    input: z.object({ modality: z.enum(engineModalities), engine: limited(80).nullable() }),
    output: z.array(onUpload),
  }),
  setRemote: call({
    method: "POST",
    path: "/v1/analysis/setRemote",
    access: managerRolesOfEngines,
    summary: "Names a model server (Open Inference Protocol, version 2) as an engine, or changes one; it must answer.",
    input: z.object({
      id: id.nullish(),
      address: limited(1000).check(z.url({ protocol: /^https?$/, error: "urlShape" })),
      model: required(200),
      modelVersion: text(80).nullish(),
      /** Absent: as it was. */
      token: text(2000).nullish(),
      manifest: packText,
      card: packText,
    }),
    output: engineOutput,
  }),
  addTrial: call({
    method: "POST",
    path: "/v1/analysis/addTrial",
    access: managerRolesOfEngines,
    summary:
      "Adds what came of a pack's trial: the file that the trial wrote, signed by somebody whom the operator trusts with that.",
    audit: "analysis.trial",
    input: z.object({ id, file: packText }),
    output: engine,
  }),
  switchEngine: call({
    method: "POST",
    path: "/v1/analysis/switchEngine",
    access: managerRolesOfEngines,
    summary: "Switches an engine on or off.",
    audit: "analysis.engine",
    input: z.object({ id, on: z.boolean() }),
    output: engine,
  }),
  removeEngine: call({
    method: "POST",
    path: "/v1/analysis/removeEngine",
    access: managerRolesOfEngines,
    summary: "Removes an engine; what it saw stays.",
    audit: "analysis.engine",
    input: z.object({ id }),
    output: nullOutput,
  }),
  training: call({
    method: "GET",
    path: "/v1/analysis/training",
    access: managerRolesOfEngines,
    summary: "How many images with charts that a dentist stands for may leave for the training of engines.",
    input: emptyObject,
    output: z.object({ images: z.int(), patients: z.int(), withoutConsent: z.int() }),
  }),
  exportTraining: call({
    method: "POST",
    path: "/v1/analysis/exportTraining",
    access: managerRolesOfEngines,
    summary: "The address of an archive of those images with boxes and codes, under pseudonyms.",
    audit: "analysis.training",
    input: emptyObject.nullish(),
    output: z.object({ url: z.string() }),
  }),
} as const;
