import type { Route } from "../platform/http/serve-calls.ts";
import type { Slice } from "../platform/runtime/slice.ts";
import { registerExports } from "./bulk/run-export.ts";
import { serveFhir } from "./fhir.routes.ts";

/**
 * HL7 FHIR R4. It has no table of its own: it reads the others' and changes their records by their own calls, so that the same
 * rules, audit lines and events apply.
 */
export const createFhirSlice = (calls: readonly Route[]): Slice => ({
  name: "fhir",
  reads: [
    "analysis",
    "consent",
    "institution",
    "membership",
    "observation",
    "order_file",
    "orders",
    "patient",
    "relation",
    "report",
    "report_paper",
    "series",
    "study",
    "tooth_chart",
    "users",
    "visit",
    "visit_file",
  ],
  registerJobs: ({ database, jobs }) => registerExports(jobs, database),
  serve: (app, services) => serveFhir(app, services, calls),
});
