import { smartRules } from "@arcada/contract/smart/smart.rules";
import type { Slice } from "../platform/runtime/slice.ts";
import { findActiveTokens } from "./authenticate-apps.ts";
import { deleteOldGrants } from "./grant.store.ts";
import { smartRoutes } from "./smart.routes.ts";
import { serveTokens } from "./token.routes.ts";

export const smartSlice: Slice = {
  name: "smart",
  tables: ["smart_app", "smart_grant", "smart_token"],
  reads: ["institution", "users", "membership", "patient"],
  retention: [
    {
      data: "what people allowed apps, and tokens",
      tables: ["smart_grant", "smart_token"],
      period: `${smartRules.endedDays} days`,
      from: "the end of the approval",
      enforcedIn: "smart/grant.store.ts",
    },
  ],
  routes: smartRoutes,
  serve: serveTokens,
  validHolders: findActiveTokens,
  tasks: ({ database }) => [
    {
      name: "smart.deleteOldGrants",
      everyMs: 600_000,
      toleratedMs: 86_400_000,
      run: () => database.asSystem(deleteOldGrants),
    },
  ],
};
