import { chartRoutes } from "./chart.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const chartSlice: Slice = {
  name: "chart",
  tables: ["tooth_chart", "chart_decision"],
  reads: ["users", "patient", "study", "instance", "analysis", "observation"],
  routes: chartRoutes,
};
