import { serviceRoutes } from "./service.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const serviceSlice: Slice = {
  name: "service",
  reads: ["device", "software_feedback", "upgrade_package", "work_order_event"],
  routes: serviceRoutes,
};
