import { servePackageTransfers } from "./package-transfer.ts";
import { upgradeRoutes } from "./upgrade.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const upgradeSlice: Slice = {
  name: "upgrade",
  routes: upgradeRoutes,
  serve: servePackageTransfers,
};
