import { z } from "zod";
import { id, instant } from "../kernel/fields.ts";
import { greyWindow, stateDrawing } from "./image-presentation.schema.ts";
import { detectedArch, volumeInfo } from "./volume.schema.ts";
import { photoViews } from "./mount-layouts.ts";
import { studyKinds, studyStates, chosenKinds } from "./study.rules.ts";

export const kind = z.enum(studyKinds);
export const photoView = z.enum(photoViews);

const surfaceCopy = z.object({ url: z.string(), error: z.number() });
/**
 * A streaming copy of a scan for the screen; `error`: the largest distance of a vertex from the source file, in mm.
 * `coarse`: of a scan of more than a million triangles, a copy of some 250,000, which is shown until the streaming copy
 * is there; nothing may be measured on it. The `error` of the coarse copy is one-sided, in mm: the largest distance of a
 * vertex of the streaming copy from the coarse surface, plus the rounding of both copies.
 */
export const streamingCopy = surfaceCopy.extend({ coarse: surfaceCopy.nullable() });

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
  /**
   * A video; `codec` is the name of its encoding in the file ("avc1" for H.264). The address serves ranges of bytes;
   * null where the patient's name is hidden from the reader, because a video cannot be de-identified.
   */
  video: z
    .object({
      url: z.string().nullable(),
      codec: z.string(),
      seconds: z.number(),
      width: z.int(),
      height: z.int(),
    })
    .nullable(),
  /** A PDF or another object without a picture, which opens outside these pages; the address is null where the reader may not take files as they came. */
  document: z.object({ url: z.string().nullable(), isPdf: z.boolean() }).nullable(),
  model: z
    .object({
      format: z.enum(["stl", "ply", "obj", "3mf"]),
      url: z.string(),
      triangles: z.int(),
      jaw: z.enum(["upper", "lower"]).nullable(),
      glb: streamingCopy.nullable(),
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
      /** The panorama and the middle cross-sections of the detected arch, rendered from the preview: gzip of a header and 16-bit values; null if there are none. */
      archImages: z.string().nullable().default(null),
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
  /** The view of a photograph that was taken as part of a photo series. */
  photoView: photoView.nullable(),
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

export const chosenKind = z.enum(chosenKinds);
