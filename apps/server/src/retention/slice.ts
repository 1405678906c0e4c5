import { registerRetention } from "./retention.jobs.ts";
import type { Slice } from "../platform/runtime/slice.ts";
import type { ErasePatient } from "./purge-expired.ts";

/** The slice of patients provides the erasure of a patient. */
export const createRetentionSlice = (erasePatient: ErasePatient): Slice => ({
  name: "retention",
  tables: ["scrub"],
  reads: [
    "converted_file",
    "ingest_job",
    "instance",
    "institution",
    "order_file",
    "orders",
    "patient",
    "stored_file",
    "study",
    "unneeded",
  ],
  registerJobs: ({ database, jobs }) => registerRetention(jobs, database, erasePatient),
});
