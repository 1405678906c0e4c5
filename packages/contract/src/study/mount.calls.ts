import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, limited, recordOf, whole } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { mountKindNames, mountLayoutNames } from "./mount.ts";

const kind = z.enum(mountKindNames).default("films");
const layout = z.enum(mountLayoutNames);
/** Maps a position's name to the image at it. */
const films = recordOf(limited(30), id, 40);

const film = z.object({
  id,
  studyId: id,
  name: z.string(),
  takenAt: z.string().nullable(),
  createdAt: instant,
  thumbnailUrl: z.string().nullable(),
});
export type Film = z.output<typeof film>;

const mount = z.object({
  version: z.int(),
  layout,
  films,
  /** Every image of the patient that may be placed in it, the newest first. */
  all: z.array(film),
});
export type Mount = z.output<typeof mount>;

export const mountCalls = {
  mount: call({
    method: "GET",
    path: "/v1/study/mount",
    access: clinicRoles,
    says: "A patient's mount of films or of photographs, and the pictures that may lie in it.",
    audit: "study.list",
    input: z.object({ patientId: id, kind }),
    output: mount,
  }),
  saveMount: call({
    method: "POST",
    path: "/v1/study/saveMount",
    access: clinicRoles,
    says: "Saves which picture lies in which place of the mount that the layout belongs to, from the version that was seen.",
    audit: "study.mark",
    input: z.object({ patientId: id, version: whole, layout, films }),
    output: z.object({ version: z.int() }),
  }),
} as const;
