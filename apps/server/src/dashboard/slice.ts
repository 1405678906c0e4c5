import { dashboardRoutes } from "./dashboard.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const dashboardSlice: Slice = {
  name: "dashboard",
  reads: ["institution", "stored_file", "storage_tally", "analysis", "orders", "order_event", "users"],
  routes: dashboardRoutes,
};
