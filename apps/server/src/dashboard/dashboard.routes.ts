import { dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import { bypassTenantScope } from "../platform/database/database.ts";
import { routes } from "../platform/http/serve.ts";
import { exportFigures } from "./dashboard.export.ts";
import { figuresOf, houseOf, openOf, periodOf } from "./dashboard.ts";

export const dashboardRoutes = routes(dashboardCalls, {
  open: (_, { db, asker }) => bypassTenantScope(db, () => openOf(db, asker.iid, asker.timeZone)),
  period: (days, { db, asker }) => bypassTenantScope(db, () => figuresOf(db, houseOf(asker), periodOf(asker, days))),
  export: (days, context) => bypassTenantScope(context.db, () => exportFigures(context, days)),
});
