import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, nullOutput, versionParameter, text, version } from "../kernel/fields.ts";
import { offeredLanguages } from "../kernel/languages.ts";
import { caseRoles, clinicRoles } from "../kernel/roles.ts";
import { sexes } from "../patient/patient-field-definition.ts";
import { cephContent, cephPopulations } from "./ceph.schema.ts";

const savedTracing = { version: z.int(), savedAt: instant, savedBy: z.string() };
const tracing = z.object({ id, ...savedTracing, content: cephContent });
export type CephTracing = z.output<typeof tracing>;

/** Age in years, with fractions, on the day of the radiograph. */
const subject = z.object({ sex: z.enum(sexes).nullable(), age: z.number().nullable() });

const cephImage = z.object({
  studyId: id,
  instanceId: id,
  name: z.string(),
  takenAt: z.string().nullable(),
  createdAt: instant,
  thumbnailUrl: z.string().nullable(),
  subject,
  tracing: tracing.nullable(),
});
export type CephFilm = z.output<typeof cephImage>;

const landmarkPoint = z.tuple([z.number(), z.number()]);
/** Measurements of a cephalogram by engines. None of them counts until a user accepts it. */
const landmarkProposals = z.object({
  /**
   * The width of a pixel in mm, by the ruler in the image; null if there is none, or if its marks can be read in
   * several ways.
   */
  scale: z.number().nullable(),
  /**
   * Every way in which the ruler's marks can be read: the width of a pixel in mm, and the mm between the first mark and
   * the last.
   */
  scales: z.array(z.object({ width: z.number(), mm: z.number() })),
  profile: z.array(landmarkPoint).nullable(),
  landmarks: z.record(z.string(), landmarkPoint),
  /** The radius around a landmark in which the true one may lie, in pixels of the image, where the engine states it. */
  spreads: z.record(z.string(), z.number()),
});

const openedTracing = z.object({
  tracing: tracing.nullable(),
  subject,
  proposals: landmarkProposals,
  /**
   * The norms that a new tracing begins with, by the clinic's country; every tracing stores and names its own choice.
   */
  defaultPopulation: z.enum(cephPopulations),
  /** The image was compressed with loss when it was stored. */
  isLossy: z.boolean(),
  /** True if the caller may save. Those who have access to the cephalogram only through an order may only view it. */
  maySave: z.boolean(),
});
export type CephOpened = z.output<typeof openedTracing>;

const versionRow = z.object({ ...savedTracing, marked: z.int() });
export type CephVersion = z.output<typeof versionRow>;
const imageReference = { studyId: id, instanceId: id };

export const cephCalls = {
  list: call({
    method: "GET",
    path: "/v1/ceph/list",
    access: clinicRoles,
    summary: "A patient's lateral cephalograms, the newest first, with what was traced on each.",
    audit: "ceph.list",
    input: z.object({ patientId: id }),
    output: z.array(cephImage),
  }),
  open: call({
    method: "GET",
    path: "/v1/ceph/open",
    access: caseRoles,
    summary:
      "The tracing of one picture, as it is or, for its own organisation, as it was in a version. A lab sees those of its orders' studies.",
    audit: "ceph.read",
    input: z.object({ ...imageReference, version: versionParameter.optional() }),
    output: openedTracing,
  }),
  save: call({
    method: "POST",
    path: "/v1/ceph/save",
    access: clinicRoles,
    summary: "Saves a tracing from the version that was seen; what was there before stays as a version.",
    isIdempotent: true,
    audit: "ceph.save",
    input: z.object({ ...imageReference, version, content: cephContent }),
    output: tracing,
  }),
  versions: call({
    method: "GET",
    path: "/v1/ceph/versions",
    access: clinicRoles,
    summary: "Every state in which a picture's tracing was saved, the newest first.",
    audit: "ceph.read",
    input: z.object(imageReference),
    output: z.array(versionRow),
  }),
  remove: call({
    method: "POST",
    path: "/v1/ceph/remove",
    access: clinicRoles,
    summary: "Takes a tracing away, from the version that was seen; its versions are kept.",
    isIdempotent: true,
    audit: "ceph.remove",
    input: z.object({ ...imageReference, version }),
    output: nullOutput,
  }),
  csv: call({
    method: "GET",
    path: "/v1/ceph/csv",
    access: caseRoles,
    summary: "All measures of a saved tracing as comma-separated values, each with its error and its norm.",
    audit: "ceph.export",
    input: z.object(imageReference),
    output: z.object({ name: z.string(), csv: z.string() }),
  }),
  paper: call({
    method: "GET",
    path: "/v1/ceph/paper",
    access: clinicRoles,
    summary:
      "The short-lived address of a saved tracing on paper: the film with its drawing, and the measures of one analysis.",
    audit: "ceph.print",
    input: z.object({ ...imageReference, analysis: text(20), lang: z.enum(offeredLanguages).optional() }),
    output: z.object({ url: z.string() }),
  }),
} as const;
