import { auditRoutes } from "./audit.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const auditSlice: Slice = {
  name: "audit",
  reads: [
    "users",
    "institution",
    "membership",
    "imported_audit",
    "patient",
    "study",
    "ceph_tracing",
    "analysis",
    "share",
    "ingest_job",
    "orders",
    "report",
  ],
  routes: auditRoutes,
};
