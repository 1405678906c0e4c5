import { orderTodayCalls } from "@arcada/contract/order/order-today.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { listCalls } from "@arcada/contract/order/order-list.calls";
import type { SearchSource } from "../../platform/runtime/search-source.ts";
import { sortByMatch } from "../../platform/text/search-terms.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { readFilterChoices } from "./filter-choices.ts";
import { readTodaysOrders } from "./todays-orders.ts";
import { exportOrders } from "./list-export.ts";
import { readOrders } from "../core/order.read.ts";
import { rowView } from "../core/order.view.ts";
import { searchOrders } from "./list-filter.ts";
import { deleteView, readSavedViews, saveView, saveColumns } from "./saved-views.store.ts";

/** The search finds orders by what the list finds them by, and never by a name that is hidden from the reader. */
export const orderSearch: SearchSource = {
  kind: "order",
  list: orderCalls.list,
  find: async ({ db, principal }, { text, opened, most }) => {
    const ids = sortByMatch(text, await searchOrders(db, principal.iid, text)).map((found) => found.order_id);
    const best = [...opened.filter((id) => ids.includes(id)), ...ids.filter((id) => !opened.includes(id))].slice(
      0,
      most,
    );
    const orders = await readOrders(db, principal.iid, best);
    return orders
      .toSorted((one, other) => best.indexOf(one.id) - best.indexOf(other.id))
      .map((order) => ({ kind: "order", ...rowView(order, principal) }));
  },
  opening: {
    call: orderCalls.detail,
    load: async ({ db, principal }, ids) =>
      (await readOrders(db, principal.iid, ids)).map((order) => ({ kind: "order", ...rowView(order, principal) })),
  },
};

export const listRoutes = routes(listCalls, {
  names: async ({ ids }, { db, principal }) =>
    (await readOrders(db, principal.iid, ids)).map((order) => {
      const { id, number, caseType, patientName, work } = rowView(order, principal);
      return { id, number, caseType, patientName, work };
    }),
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

export const todayRoutes = routes(orderTodayCalls, {
  today: (input, context) => readTodaysOrders(context, input),
});
