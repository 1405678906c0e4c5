import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, int32 } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { ingestJob } from "./upload-job.calls.ts";

export const segmentationRules = { maxSlices: 5000, maxStructures: 60 } as const;

export const segmentationCalls = {
  segmentation: call({
    method: "POST",
    path: "/v1/study/segmentation",
    access: clinicRoles,
    summary:
      "Adds a DICOM segmentation (SEG) to a study: the nerve canals and roots that are saved for a volume, as masks of its slices.",
    isIdempotent: true,
    audit: "study.upload",
    input: z.object({
      id,
      seriesId: id,
      /** The version of the marks that is meant; another one is refused. */
      version: int32.min(0),
    }),
    output: ingestJob,
  }),
} as const;
