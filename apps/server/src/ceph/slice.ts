import { openCephDocument } from "./ceph.document.ts";
import { cephRoutes } from "./ceph.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const cephSlice: Slice = {
  name: "ceph",
  routes: cephRoutes,
  documents: (database) => ({ ceph: openCephDocument(database) }),
};
