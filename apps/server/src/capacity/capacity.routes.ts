import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import { usedAnalyses } from "../kernel/quota.ts";
import { refuse } from "../kernel/refuse.ts";
import { routes } from "../kernel/serve.ts";
import { allowedBytes, usedBytes } from "../kernel/uploads.ts";
import { inGigabytes, percentOf } from "./capacity.ts";

export const capacityRoutes = routes(capacityCalls, {
  storage: async (input, { db, asker }) => {
    if (input.iid !== undefined && input.iid !== asker.iid) return refuse("notFound");
    const { stored } = await usedBytes(db, asker.iid);
    return {
      percent: percentOf(stored, allowedBytes),
      totalSize: inGigabytes(stored),
      maxSize: inGigabytes(allowedBytes),
    };
  },
  analyses: async (_, { db, asker }) => {
    const { used, allowed } = await usedAnalyses(db, asker.iid);
    return { percent: percentOf(used, allowed), noi: used, total: allowed };
  },
});
