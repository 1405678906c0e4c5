import { retentionRules } from "./retention.rules.ts";
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
  retention: [
    {
      data: "notifications",
      tables: ["notice"],
      period: `${retentionRules.noticeDays} days`,
      from: "the notification",
      enforcedIn: "notice/retention.writes.ts",
    },
    {
      data: "leftovers of imports",
      tables: ["ingest_content"],
      period: `${retentionRules.leftoverDays} day`,
      from: "the end of the import",
      enforcedIn: "ingest/retention.writes.ts",
    },
    {
      data: "originals to which nothing refers any more",
      tables: ["stored_file"],
      period: `${retentionRules.leftoverDays} day`,
      from: "their arrival",
      enforcedIn: "retention/purge-expired.ts",
    },
    {
      data: "files in the store without any row",
      tables: [],
      period: `${retentionRules.strayDays} days`,
      from: "their arrival",
      enforcedIn: "retention/remove-orphaned-files.ts",
    },
  ],
  registerJobs: ({ database, jobs }) => registerRetention(jobs, database, erasePatient),
});
