import { serviceRoutes } from "./service.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const serviceSlice: Slice = {
  name: "service",
  routes: serviceRoutes,
};
