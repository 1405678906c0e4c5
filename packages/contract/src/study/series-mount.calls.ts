import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, limited, boundedRecord, int32 } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { photoView } from "./study.schema.ts";
import { mountKindNames, mountLayoutNames } from "./mount-layouts.ts";

const kind = z.enum(mountKindNames).default("films");
const layoutName = z.enum(mountLayoutNames);
/** Maps a position's name to the image at it. */
const imagesByPosition = boundedRecord(limited(30), id, 40);

/** As many images of a patient may lie in a mount; older ones are not offered. */
export const maxMountImages = 500;

/** Quarter turns clockwise of images that do not lie as their files have them. */
const turnsByImage = boundedRecord(limited(40), z.int().min(1).max(3), maxMountImages);

const mountImage = z.object({
  id,
  studyId: id,
  name: z.string(),
  takenAt: z.string().nullable(),
  createdAt: instant,
  /** The view of a photograph that was taken as part of a photo series. */
  photoView: photoView.nullable(),
  thumbnailUrl: z.string().nullable(),
});
export type MountImage = z.output<typeof mountImage>;

const seriesMount = z.object({
  version: z.int(),
  layout: layoutName,
  films: imagesByPosition,
  turns: turnsByImage,
  /** Every image of the patient that may be placed in it, the newest first. */
  all: z.array(mountImage),
});
export type SeriesMount = z.output<typeof seriesMount>;

export const mountCalls = {
  mount: call({
    method: "GET",
    path: "/v1/study/mount",
    access: clinicRoles,
    summary: "A patient's mount of films or of photographs, and the pictures that may lie in it.",
    audit: "study.list",
    input: z.object({ patientId: id, kind }),
    output: seriesMount,
  }),
  saveMount: call({
    method: "POST",
    path: "/v1/study/saveMount",
    access: clinicRoles,
    summary:
      "Saves which picture lies in which place of the mount that the layout belongs to, from the version that was seen.",
    audit: "study.mark",
    input: z.object({
      patientId: id,
      version: int32,
      layout: layoutName,
      films: imagesByPosition,
      /** Absent: as they were. */
      turns: turnsByImage.optional(),
    }),
    output: z.object({ version: z.int() }),
  }),
} as const;
