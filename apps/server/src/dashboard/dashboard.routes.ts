import { dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import { beyondWall } from "../kernel/db.ts";
import { routes } from "../kernel/serve.ts";
import { exportFigures } from "./dashboard.export.ts";
import { figuresOf, houseOf, openOf } from "./dashboard.ts";

export const dashboardRoutes = routes(dashboardCalls, {
  open: ({ zone }, { db, asker }) => beyondWall(db, () => openOf(db, asker.iid, zone)),
  period: (period, { db, asker }) => beyondWall(db, () => figuresOf(db, houseOf(asker), period)),
  export: (period, context) => beyondWall(context.db, () => exportFigures(context, period)),
});
