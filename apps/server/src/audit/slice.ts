import { auditRoutes } from "./audit.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const auditSlice: Slice = {
  name: "audit",
  routes: auditRoutes,
};
