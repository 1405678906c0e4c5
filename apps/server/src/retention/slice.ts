import { registerRetention } from "./retention.jobs.ts";
import type { Slice } from "../platform/runtime/slice.ts";
import type { ErasePatient } from "./purge.ts";

/** The slice of patients provides the erasure of a patient. */
export const createRetentionSlice = (erasePatient: ErasePatient): Slice => ({
  name: "retention",
  registerJobs: ({ database, jobs }) => registerRetention(jobs, database, erasePatient),
});
