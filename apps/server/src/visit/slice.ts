import { visitRoutes } from "./visit.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const visitSlice: Slice = {
  name: "visit",
  routes: visitRoutes,
};
