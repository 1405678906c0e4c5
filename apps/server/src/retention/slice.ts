import { registerRetention } from "./retention.jobs.ts";
import type { Slice } from "../platform/runtime/slice.ts";
import type { ErasePatient } from "./purge-expired.ts";

/** The slice of patients provides the erasure of a patient. */
export const createRetentionSlice = (erasePatient: ErasePatient): Slice => ({
  name: "retention",
  tables: ["scrub"],
  writes: [
    "notice",
    "unneeded",
    "file_fault",
    "study",
    "series",
    "instance",
    "converted_file",
    "study_question",
    "ingest_content",
    "order_glb",
  ],
  reads: ["institution", "stored_file", "patient", "ingest_job", "orders", "order_file"],
  registerJobs: ({ database, jobs }) => registerRetention(jobs, database, erasePatient),
});
