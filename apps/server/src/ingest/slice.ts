import { importGauges } from "./import.gauges.ts";
import { registerCoarseCopyJob } from "./convert/make-coarse-copies.ts";
import { registerIngest } from "./run-ingest-job.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const ingestSlice: Slice = {
  name: "ingest",
  tables: ["study_person", "ingest_job", "ingest_content"],
  reads: ["converted_file", "instance", "order_file", "patient", "series", "study"],
  registerJobs: async ({ database, jobs }) => {
    await registerIngest(jobs, database);
    await registerCoarseCopyJob(jobs, database);
  },
  gauges: importGauges,
};
