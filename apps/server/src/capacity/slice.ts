import { capacityRoutes } from "./capacity.routes.ts";
import { advanceCapacity } from "./start-and-expire-periods.ts";
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
      enforcedIn: "capacity/start-and-expire-periods.ts",
    },
  ],
  routes: capacityRoutes,
  adminCommands: quotaCommands,
  tasks: ({ database }) => [
    { name: "capacity.advance", everyMs: 60_000, toleratedMs: 900_000, run: () => advanceCapacity(database) },
  ],
};
