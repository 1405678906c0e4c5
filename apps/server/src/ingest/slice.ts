import { importGauges } from "./import.gauges.ts";
import { registerIngest } from "./run-ingest-job.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const ingestSlice: Slice = {
  name: "ingest",
  tables: ["study_person", "ingest_job", "ingest_content"],
  reads: ["converted_file", "instance", "order_file", "patient", "series", "study"],
  registerJobs: ({ database, jobs }) => registerIngest(jobs, database),
  gauges: importGauges,
};
