import { dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import { bypassTenantScope } from "../platform/database/database.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { exportDashboard } from "./dashboard.export.ts";
import { loadFigures, loadOpenOrders, toDashboardSubject, toPeriod } from "./load-dashboard-figures.ts";
import { loadTrends } from "./load-trends.ts";
import { loadWorkloadOverTime } from "./load-workload.ts";

export const dashboardRoutes = routes(dashboardCalls, {
  open: (_, { db, principal }) =>
    bypassTenantScope(db, () => loadOpenOrders(db, toDashboardSubject(principal), principal.timeZone)),
  period: (days, { db, principal }) =>
    bypassTenantScope(db, () => loadFigures(db, toDashboardSubject(principal), toPeriod(principal, days))),
  trends: (days, { db, principal, now }) =>
    bypassTenantScope(db, () => loadTrends(db, toDashboardSubject(principal), toPeriod(principal, days), now)),
  workload: (days, { db, principal }) =>
    bypassTenantScope(db, () => loadWorkloadOverTime(db, toDashboardSubject(principal), toPeriod(principal, days))),
  export: (days, context) => bypassTenantScope(context.db, () => exportDashboard(context, days)),
});
