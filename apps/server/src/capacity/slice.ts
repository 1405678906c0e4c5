import { capacityRoutes } from "./capacity.routes.ts";
import { advanceCapacity } from "./capacity.schedule.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const capacitySlice: Slice = {
  name: "capacity",
  routes: capacityRoutes,
  schedules: ({ database }) => [{ everyMs: 60_000, run: () => advanceCapacity(database) }],
};
