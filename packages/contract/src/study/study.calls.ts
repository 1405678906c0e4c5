import { z } from "zod";
import { call } from "../kernel/call.ts";
import { booleanParameter, id, instant, nullOutput, versionParameter, int32 } from "../kernel/fields.ts";
import { caseRoles, clinicRoles } from "../kernel/roles.ts";
import { annotation } from "./annotation.ts";
import { greyWindow, stateDrawing } from "./image-presentation.schema.ts";
import { detectedArch, volumeInfo } from "./volume.schema.ts";
import { chosenKinds, jobStates, studyKinds, studyStates } from "./study.rules.ts";

const kind = z.enum(studyKinds);
const chosenKind = z.enum(chosenKinds);

/** A derived 2D image: `grey16` is gzip of little-endian 16-bit grey values, `image` an ordinary image. */
export const imageInfo = z.object({
  format: z.enum(["grey16", "image"]),
  columns: z.int(),
  rows: z.int(),
  signed: z.boolean(),
  inverted: z.boolean(),
  min: z.number(),
  max: z.number(),
  window: greyWindow.nullable(),
  valueOffset: z.number().default(0),
  valueScale: z.number().default(1),
  /** The presentation state by which the image is shown, and its parts that are not applied. */
  presentation: z
    .object({
      label: z.string(),
      notApplied: z.array(z.string()),
      /**
       * Null for images that were converted before this was supported; without annotations for readers who know the
       * patient by a masked name.
       */
      drawn: stateDrawing.nullable().default(null),
    })
    .nullable()
    .default(null),
  /** mm between rows and between columns, and where the figures come from; null: not calibrated. */
  spacing: z
    .object({ row: z.number(), column: z.number(), source: z.enum(["pixelSpacing", "imager", "resolution", "user"]) })
    .nullable(),
});

export const instance = z.object({
  id,
  name: z.string(),
  /** Other names under which the same file was uploaded later; none where file names are hidden from the reader. */
  alsoNamed: z.array(z.string()),
  bytes: z.int(),
  sha256: z.string(),
  /** The source file, as a short-lived address; null if it would reveal a name that is masked for the reader. */
  originalUrl: z.string().nullable(),
  thumbnailUrl: z.string().nullable(),
  /** The refusal's name where nothing can be shown of this file; `study.convert` tries again. */
  fault: z.string().nullable(),
  picture: imageInfo
    .extend({
      url: z.string(),
      /** The addresses of all frames, the first being `url`. */
      frames: z.array(z.string()),
      /**
       * The overlay of each frame, gzip of one bit for each pixel, the first in the lowest bit. None if there is no
       * overlay, and none for readers who know the patient by a masked name: overlays may contain names, too.
       */
      overlays: z.array(z.string()),
    })
    .nullable(),
  /** A PDF, which opens outside these pages; the address is null where the reader may not take files as they came. */
  document: z.object({ url: z.string().nullable() }).nullable(),
  model: z
    .object({
      format: z.enum(["stl", "ply", "obj"]),
      url: z.string(),
      triangles: z.int(),
      jaw: z.enum(["upper", "lower"]).nullable(),
      /** A streaming copy for the screen; `error`: the largest distance of a vertex from the source file, in mm. */
      glb: z.object({ url: z.string(), error: z.number() }).nullable(),
    })
    .nullable(),
});
export const series = z.object({
  id,
  kind: z.enum(["volume", "pictures", "models"]),
  modality: z.string().nullable(),
  description: z.string().nullable(),
  count: z.int(),
  thumbnailUrl: z.string().nullable(),
  problems: z.array(z.object({ code: z.string(), detail: z.string() })),
  instances: z.array(instance),
  /**
   * The preview makes it viewable; groups of eight slices of lossless HTJ2K follow, null for those that are not made
   * yet.
   */
  volume: volumeInfo
    .extend({
      preview: z.object({ url: z.string(), info: volumeInfo }).nullable(),
      /** The three planes that a viewer begins with, out of the preview: gzip of 16-bit values; null of volumes that were made ready before there were any. */
      firstLook: z.string().nullable().default(null),
      /** Null if none was found; absent for volumes that were converted before the search existed. */
      arch: detectedArch.nullable().optional(),
      /** Groups of eight slices at half the resolution; null for volumes that every graphics processor holds. */
      half: z.object({ info: volumeInfo, groups: z.array(z.string().nullable()) }).nullable(),
      groups: z.array(z.string().nullable()),
      groupSize: z.int(),
      /** Groups that are null are being made. */
      isGrowing: z.boolean(),
    })
    .nullable(),
});
export const studyRow = z.object({
  id,
  /** Null while the study waits in the inbox. */
  patientId: id.nullable(),
  kind,
  kindCertain: z.boolean(),
  state: z.enum(studyStates),
  /** The device's local time, without a time zone: YYYY-MM-DDTHH:mm:ss. */
  takenAt: z.string().nullable(),
  createdAt: instant,
  description: z.string().nullable(),
  modality: z.string().nullable(),
  count: z.int(),
  bytes: z.int(),
  thumbnailUrl: z.string().nullable(),
});
export type StudyRow = z.output<typeof studyRow>;
export const study = z.object({
  ...studyRow.shape,
  /**
   * Null in the inbox, and for an institution that has the study through an order: it knows the patient by the name
   * alone.
   */
  patientId: id.nullable(),
  patientName: z.string(),
  /**
   * The person named in the files; null for another institution. `guessed`: the name is not in the character set that
   * the files declare.
   */
  named: z.object({ name: z.string(), guessed: z.boolean() }).nullable(),
  header: z.array(z.object({ key: z.string(), value: z.string() })),
  series: z.array(series),
});
export type Study = z.output<typeof study>;
export type Series = z.output<typeof series>;
export type Instance = z.output<typeof instance>;

/** A file that was refused during ingest: its name and the refusal's name. */
export const refusedFile = z.object({ name: z.string(), refusal: z.string() });
export const ingestJob = z.object({
  id,
  /** Null if the files themselves identify the patient. */
  patientId: id.nullable(),
  state: z.enum(jobStates),
  progress: z.number(),
  stage: z.enum(["receiving", "unpacking", "reading", "storing", "converting", "done"]),
  studies: z.array(id),
  refused: z.array(refusedFile),
  /** Files that went in, and files that the patient had already: those are stored once. */
  added: z.int(),
  known: z.int(),
  /** Some of those that the patient had under another name: the file's name now, and the name by which it is kept. */
  knownFiles: z.array(z.object({ name: z.string(), as: z.string() })),
  /**
   * Those of `studies` whose files name another person: they wait in the patient's record for an answer
   * (`study.answer`).
   */
  questions: z.array(id),
  refusal: z.string().nullable(),
});
export type IngestJob = z.output<typeof ingestJob>;

/**
 * The progress of the derived files for viewers. `isShown`: a volume can be viewed already. `again`: the files are
 * being made once more; the owning institution may stop that by `job`.
 */
export const conversion = z.object({
  state: z.enum(studyStates),
  isShown: z.boolean(),
  again: z.boolean(),
  job: id.nullable(),
  progress: z.number(),
});
export type Conversion = z.output<typeof conversion>;

export const studyCalls = {
  list: call({
    method: "GET",
    path: "/v1/study/list",
    access: clinicRoles,
    summary: "The studies of one patient.",
    audit: "study.list",
    input: z.object({ patientId: id, kind: kind.optional() }),
    output: z.array(studyRow),
  }),
  detail: call({
    method: "GET",
    path: "/v1/study/detail",
    access: caseRoles,
    summary: "One study with its series and the addresses of what viewers show. A lab sees those of its orders.",
    audit: "study.read",
    // Briefly: of a volume's files only the first, and those that are shown or faulty by themselves.
    input: z.object({ id, brief: booleanParameter.optional() }),
    output: study,
  }),
  open: call({
    method: "POST",
    path: "/v1/study/open",
    access: clinicRoles,
    summary: "Ends an upload: the named uploads become the patient's studies in a job.",
    isIdempotent: true,
    audit: "study.upload",
    input: z.object({
      patientId: id,
      kind: chosenKind.optional(),
      uploads: z.array(id).min(1).max(20_000),
      /** Files that name another person belong to this patient all the same; else their study waits for an answer. */
      acceptMismatch: z.boolean().default(false),
    }),
    output: ingestJob,
  }),
  job: call({
    method: "GET",
    path: "/v1/study/job",
    access: clinicRoles,
    summary: "How far an ingest is, and what was refused.",
    input: z.object({ id }),
    output: ingestJob,
  }),
  cancelJob: call({
    method: "POST",
    path: "/v1/study/cancelJob",
    access: clinicRoles,
    summary:
      "Stops an ingest that has not finished, nothing of it stays; or the making of files for viewers, the originals stay.",
    input: z.object({ id }),
    output: ingestJob,
  }),
  convert: call({
    method: "POST",
    path: "/v1/study/convert",
    access: caseRoles,
    summary:
      "Makes a study's files for viewers again, where they were removed or could not be made; asked again, it goes on.",
    isIdempotent: true,
    audit: "study.convert",
    input: z.object({ id }),
    output: conversion,
  }),
  conversion: call({
    method: "GET",
    path: "/v1/study/conversion",
    access: caseRoles,
    summary: "How far the making of a study's files for viewers is.",
    input: z.object({ id }),
    output: conversion,
  }),
  attach: call({
    method: "POST",
    path: "/v1/study/attach",
    access: clinicRoles,
    summary: "Gives a study of the inbox its patient, or changes a study's kind.",
    isIdempotent: true,
    audit: "study.attach",
    input: z.object({
      id,
      patientId: id.optional(),
      kind: chosenKind.optional(),
      /** The files name another person, but belong to this patient nevertheless. */
      acceptMismatch: z.boolean().default(false),
    }),
    output: studyRow,
  }),
  remove: call({
    method: "POST",
    path: "/v1/study/remove",
    access: clinicRoles,
    summary: "Moves a study to the bin for 30 days.",
    isIdempotent: true,
    audit: "study.remove",
    input: z.object({ id }),
    output: nullOutput,
  }),
  marks: call({
    method: "GET",
    path: "/v1/study/marks",
    access: caseRoles,
    summary: "Measurements and annotations of a study, as they are or as they were in a version.",
    audit: "study.read",
    input: z.object({ id, version: versionParameter.optional() }),
    output: z.object({ version: z.int(), marks: z.array(annotation) }),
  }),
  markVersions: call({
    method: "GET",
    path: "/v1/study/markVersions",
    access: clinicRoles,
    summary:
      "Earlier states of a study's measurements and annotations, the latest first: one for each person and ten minutes.",
    audit: "study.read",
    input: z.object({ id }),
    output: z.array(z.object({ version: z.int(), savedAt: instant, savedBy: z.string(), count: z.int() })),
  }),
  saveMarks: call({
    method: "POST",
    path: "/v1/study/saveMarks",
    access: clinicRoles,
    summary: "Saves measurements and annotations, from the version that was seen.",
    audit: "study.mark",
    input: z.object({ id, version: int32, marks: z.array(annotation).max(500) }),
    output: z.object({ version: z.int(), marks: z.array(annotation) }),
  }),
} as const;
