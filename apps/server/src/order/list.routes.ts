import { listCalls } from "@arcada/contract/order/list.calls";
import { routes } from "../platform/http/serve.ts";
import { listChoices } from "./list.choices.ts";
import { exportOrders } from "./list.export.ts";
import { orderNumbers } from "./order.read.ts";
import { dropLook, looksOf, saveLook, setColumns } from "./list.looks.ts";

export const listRoutes = routes(listCalls, {
  numbers: ({ ids }, { db, asker }) => orderNumbers(db, asker.iid, ids),
  choices: (_, { db, asker }) => listChoices(db, asker.iid),

  export: async (filter, context) => {
    const made = await exportOrders(context, filter);
    context.detail = { rows: made.rows };
    return made;
  },

  looks: (_, { db, asker }) => looksOf(db, asker),
  saveLook: (look, { db, asker }) => saveLook(db, asker, look),
  dropLook: async ({ id }, { db, asker }) => {
    await dropLook(db, asker, id);
    return null;
  },
  setColumns: async ({ columns }, { db, asker }) => {
    await setColumns(db, asker, columns);
    return null;
  },
});
