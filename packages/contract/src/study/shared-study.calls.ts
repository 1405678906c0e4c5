import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id } from "../kernel/fields.ts";
import { annotationCalls } from "./annotation.calls.ts";
import { study } from "./study.schema.ts";

/** Calls for the study that a link shares with a guest; another study's id is answered like one that does not exist. */
export const sharedStudyCalls = {
  study: call({
    method: "GET",
    path: "/v1/share/study",
    access: "share",
    summary: "The shared study with the addresses of what viewers show.",
    audit: "study.sharedRead",
    input: z.object({ id }),
    output: study,
  }),
  marks: call({
    method: "GET",
    path: "/v1/share/marks",
    access: "share",
    summary: "Measurements and annotations of the shared study.",
    input: annotationCalls.marks.input,
    output: annotationCalls.marks.output,
  }),
  download: call({
    method: "POST",
    path: "/v1/share/download",
    access: "share",
    summary: "Prepares an archive of the shared study, where the link allows it; answers its short-lived address.",
    audit: "study.sharedDownload",
    input: z.object({ id }),
    output: z.object({ url: z.string(), files: z.int(), bytes: z.number() }),
  }),
} as const;
