import { listCalls } from "@arcada/contract/order/order-list.calls";
import { routes } from "../../platform/http/serve-calls.ts";
import { readFilterChoices } from "./filter-choices.ts";
import { exportOrders } from "./list-export.ts";
import { orderNames } from "../core/order.read.ts";
import { deleteView, readSavedViews, saveView, saveColumns } from "./saved-views.store.ts";

export const listRoutes = routes(listCalls, {
  names: ({ ids }, { db, principal }) => orderNames(db, principal.iid, ids),
  choices: (_, { db, principal }) => readFilterChoices(db, principal.iid),

  export: async (filter, context) => {
    const made = await exportOrders(context, filter);
    context.detail = { rows: made.rows };
    return made;
  },

  looks: (_, { db, principal }) => readSavedViews(db, principal),
  saveLook: (view, { db, principal }) => saveView(db, principal, view),
  dropLook: async ({ id }, { db, principal }) => {
    await deleteView(db, principal, id);
    return null;
  },
  setColumns: async ({ columns }, { db, principal }) => {
    await saveColumns(db, principal, columns);
    return null;
  },
});
