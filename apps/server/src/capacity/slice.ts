import { capacityRoutes } from "./capacity.routes.ts";
import { advanceCapacity } from "./capacity.schedule.ts";
import { quotaCommands } from "./quota.commands.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const capacitySlice: Slice = {
  name: "capacity",
  tables: ["capacity_card", "capacity_period", "capacity_payment", "capacity_try", "institution_quota"],
  reads: ["users", "institution"],
  retention: [
    {
      data: "failed activations",
      tables: ["capacity_try"],
      period: "1 day",
      from: "the attempt",
      enforcedIn: "capacity/capacity.schedule.ts",
    },
  ],
  routes: capacityRoutes,
  adminCommands: quotaCommands,
  schedules: ({ database }) => [{ everyMs: 60_000, run: () => advanceCapacity(database) }],
};
