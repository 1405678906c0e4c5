import { registerIngest } from "./ingest.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const ingestSlice: Slice = {
  name: "ingest",
  registerJobs: ({ database, jobs }) => registerIngest(jobs, database),
};
