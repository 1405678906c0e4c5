import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import { usedAnalyses } from "../kernel/quota.ts";
import { refuse } from "../kernel/refuse.ts";
import { routes } from "../kernel/serve.ts";
import { usedBytes } from "../kernel/uploads.ts";
import { inGigabytes, percentOf } from "./capacity.ts";

export const capacityRoutes = routes(capacityCalls, {
  storage: async (input, { db, asker }) => {
    if (input.iid !== undefined && input.iid !== asker.iid) return refuse("notFound");
    const { stored, allowed } = await usedBytes(db, asker.iid);
    return {
      percent: percentOf(stored, allowed),
      totalSize: inGigabytes(stored),
      maxSize: inGigabytes(allowed),
    };
  },
  analyses: async (_, { db, asker }) => {
    const { used, allowed } = await usedAnalyses(db, asker.iid);
    return { percent: percentOf(used, allowed), noi: used, total: allowed };
  },
});
