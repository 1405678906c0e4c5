import { registerDataExport } from "./data-export.jobs.ts";
import { dataExportRoutes } from "./data-export.routes.ts";
import { serveImportUploads } from "./import-upload.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const dataExportSlice: Slice = {
  name: "data-export",
  tables: ["taking", "arrival", "imported_audit", "imported_row"],
  reads: ["contact", "institution", "membership", "orders", "relation", "relation_event", "users"],
  routes: dataExportRoutes,
  serve: serveImportUploads,
  registerJobs: ({ database, jobs }) => registerDataExport(jobs, database),
};
