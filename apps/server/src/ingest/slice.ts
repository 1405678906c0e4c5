import { registerIngest } from "./ingest.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const ingestSlice: Slice = {
  name: "ingest",
  tables: ["converted_file", "study_person", "ingest_job", "ingest_content"],
  writes: ["upload", "study", "series", "instance", "study_question"],
  reads: ["patient", "order_file", "api_key"],
  registerJobs: ({ database, jobs }) => registerIngest(jobs, database),
};
