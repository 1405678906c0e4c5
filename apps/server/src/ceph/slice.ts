import { openCephDocument } from "./ceph.document.ts";
import { cephRoutes } from "./ceph.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const cephSlice: Slice = {
  name: "ceph",
  tables: ["ceph_tracing", "ceph_tracing_version"],
  reads: [
    "users",
    "institution",
    "patient",
    "study",
    "series",
    "instance",
    "converted_file",
    "analysis",
    "observation",
  ],
  routes: cephRoutes,
  documents: (database) => ({ ceph: openCephDocument(database) }),
};
