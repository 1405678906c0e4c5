import { servePackageTransfers } from "./package-transfer.ts";
import { agentProgramRoutes, upgradeRoutes } from "./upgrade.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const upgradeSlice: Slice = {
  name: "upgrade",
  tables: ["package_arrival", "upgrade_package", "package_download"],
  reads: ["users", "device"],
  routes: [...upgradeRoutes, ...agentProgramRoutes],
  serve: servePackageTransfers,
};
