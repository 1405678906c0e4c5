import { serveDicomweb } from "./dicomweb.routes.ts";
import { registerIndexing } from "./indexing/index.jobs.ts";
import { registerIntake } from "./intake/keep-received-files.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const dicomwebSlice: Slice = {
  name: "dicomweb",
  tables: ["intake", "dicom_study", "dicom_series", "dicom_instance"],
  reads: ["study", "instance"],
  serve: serveDicomweb,
  registerJobs: async ({ database, jobs }) => {
    await registerIndexing(jobs, database);
    await registerIntake(jobs, database);
  },
};
