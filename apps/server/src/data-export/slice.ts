import { dataExportRules } from "@arcada/contract/data-export/data-export.rules";
import { registerDataExport } from "./data-export.jobs.ts";
import { dataExportRoutes } from "./data-export.routes.ts";
import { serveImportUploads } from "./import-upload.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const dataExportSlice: Slice = {
  name: "data-export",
  tables: ["taking", "taking_file", "arrival", "imported_audit", "imported_row"],
  reads: ["contact", "institution", "membership", "orders", "relation", "relation_event", "users"],
  retention: [
    {
      data: "files of exports and spreadsheets",
      tables: ["taking", "taking_file"],
      period: `${dataExportRules.days} days for an export, ${dataExportRules.fhirDays} for one of FHIR, 15 minutes for a spreadsheet`,
      from: "their completion",
      enforcedIn: "data-export/data-export.purge.ts",
    },
    {
      data: "rows of ended exports",
      tables: ["taking"],
      period: "90 days",
      from: "the request",
      enforcedIn: "data-export/data-export.purge.ts",
    },
    {
      data: "archives of an import that nobody continued",
      tables: ["arrival"],
      period: `${dataExportRules.days} days`,
      from: "the upload",
      enforcedIn: "data-export/data-export.purge.ts",
    },
  ],
  routes: dataExportRoutes,
  serve: serveImportUploads,
  registerJobs: ({ database, jobs }) => registerDataExport(jobs, database),
};
