import { visitRoutes } from "./visit.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const visitSlice: Slice = {
  name: "visit",
  tables: ["visit", "visit_version", "visit_file"],
  reads: ["users", "membership", "patient"],
  routes: visitRoutes,
};
