import { capacityRoutes } from "./capacity.routes.ts";
import { advanceCapacity } from "./capacity.schedule.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const capacitySlice: Slice = {
  name: "capacity",
  tables: ["capacity_card", "capacity_period", "capacity_payment", "capacity_try"],
  reads: ["users", "institution"],
  routes: capacityRoutes,
  schedules: ({ database }) => [{ everyMs: 60_000, run: () => advanceCapacity(database) }],
};
