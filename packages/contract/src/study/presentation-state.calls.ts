import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, text, int32 } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";

const imagePoint = z.tuple([z.number(), z.number()]);

export const presentationCalls = {
  presentation: call({
    method: "POST",
    path: "/v1/study/presentation",
    access: clinicRoles,
    summary:
      "How a DICOM picture is shown (window, lie, drawings) as a presentation state that other viewers understand.",
    audit: "study.download",
    input: z.object({
      id,
      instanceId: id,
      /** Counted from 0. */
      frame: int32.min(0).default(0),
      /** In the values that are shown. */
      window: z.object({
        center: z.number(),
        width: z.number(),
        shape: z.enum(["linearExact", "sigmoid", "table"]).optional(),
      }),
      /** Low values white. */
      inverted: z.boolean(),
      turns: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
      mirrored: z.boolean(),
      /** In pixels, (0, 0) being the top left corner of the first. */
      graphics: z
        .array(z.object({ lines: z.array(z.array(imagePoint).max(200)).max(20), label: text(500), at: imagePoint }))
        .max(500),
    }),
    /** A DICOM file in base64. */
    output: z.object({ name: z.string(), dicom: z.string() }),
  }),
} as const;
