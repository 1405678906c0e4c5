import { dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import { bypassTenantScope } from "../platform/database/database.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { exportDashboard } from "./dashboard.export.ts";
import { loadFigures, toDashboardInstitution, loadOpenOrders, toPeriod } from "./load-dashboard-figures.ts";

export const dashboardRoutes = routes(dashboardCalls, {
  open: (_, { db, principal }) => bypassTenantScope(db, () => loadOpenOrders(db, principal.iid, principal.timeZone)),
  period: (days, { db, principal }) =>
    bypassTenantScope(db, () => loadFigures(db, toDashboardInstitution(principal), toPeriod(principal, days))),
  export: (days, context) => bypassTenantScope(context.db, () => exportDashboard(context, days)),
});
