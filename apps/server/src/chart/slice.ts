import { chartRoutes } from "./chart.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const chartSlice: Slice = {
  name: "chart",
  routes: chartRoutes,
};
