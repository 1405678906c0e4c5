import { openWorkorderDocument } from "./workorder.document.ts";
import { openWorkorderSheet } from "./workorder.export.ts";
import { serveWorkorderFiles } from "./workorder.files.ts";
import { registerWorkorderJobs } from "./workorder.jobs.ts";
import { moveWorkordersToClinic, returnWorkordersToClinic } from "./workorder.subscribers.ts";
import { workorderRoutes, workorderSearch } from "./workorder.routes.ts";
import { clinicsMerged, clinicsSeparated } from "../clinic/clinic.events.ts";
import { on } from "../platform/events/events.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const workorderSlice: Slice = {
  name: "workorder",
  tables: ["work_order", "work_order_counter", "work_order_event", "work_order_file", "work_order_read"],
  reads: ["users", "institution", "membership", "clinic", "device"],
  search: workorderSearch,
  routes: workorderRoutes,
  serve: serveWorkorderFiles,
  documents: (database) => ({
    workorder: openWorkorderDocument(database),
    workorders: openWorkorderSheet(database),
  }),
  registerJobs: ({ database, jobs }) => registerWorkorderJobs(jobs, database),
  subscribers: () => [on(clinicsMerged, moveWorkordersToClinic), on(clinicsSeparated, returnWorkordersToClinic)],
};
