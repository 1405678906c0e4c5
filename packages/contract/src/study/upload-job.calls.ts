import { z } from "zod";
import { call } from "../kernel/call.ts";
import { boundedRecord, id, limited } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { chosenKind, photoView } from "./study.schema.ts";
import { photoViews } from "./mount-layouts.ts";
import { jobStates } from "./study.rules.ts";

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

export const uploadJobCalls = {
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
      /** The view of each photograph of a photo series, by its upload. */
      photoViews: boundedRecord(limited(36), photoView, photoViews.length).optional(),
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
} as const;
