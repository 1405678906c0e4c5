import { orderCalls } from "@arcada/contract/order/order.calls";
import { tellTabs } from "../kernel/events.ts";
import { refuse } from "../kernel/refuse.ts";
import { routes } from "../kernel/serve.ts";
import { copyOrder, saveDraft } from "./order.draft.ts";
import { takeStep } from "./order.step.ts";
import { keepGlbs } from "./order.glb.ts";
import { lookAhead } from "./order.looks.ts";
import { countOrders, listOrders } from "./order.read.ts";
import { addMessage, orderById } from "./order.store.ts";
import { sideOf } from "./order.ts";
import { mayChat, rowView, viewOrder } from "./order.view.ts";

export const orderRoutes = routes(orderCalls, {
  list: async (input, { db, asker }) => {
    const { list, total } = await listOrders(db, asker.iid, input);
    const next = input.page * input.pageSize < total ? String(input.page + 1) : null;
    return { list: list.map((order) => rowView(order, asker)), total, next };
  },

  counts: async (_, { db, asker }) => {
    const rows = await countOrders(db, asker.iid);
    const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + pick(row), 0);
    return {
      all: sum((row) => row.count),
      myTurn: sum((row) => row.mine),
      states: Object.fromEntries(rows.map((row) => [row.state, row.count])),
    };
  },

  detail: async (input, context) => {
    const order = await viewOrder(context, input.id);
    await keepGlbs(context.db, order.id);
    return order;
  },

  save: {
    before: (input, context) => lookAhead(context, named(input.uploads), input.id),
    within: async (input, context) => {
      const id = await saveDraft(context, input);
      context.subject = id;
      return viewOrder(context, id);
    },
  },

  step: {
    before: (input, context) => lookAhead(context, named(input.files ?? []), undefined),
    within: async (input, context) => {
      const id = await takeStep(context, input);
      context.detail = { action: input.action };
      return id === null ? null : viewOrder(context, id);
    },
  },

  message: async (input, context) => {
    const { db, asker } = context;
    const order = (await orderById(db, asker.iid, input.id)) ?? refuse("notFound");
    if (!mayChat(order, context.now)) refuse("orderActionNotAllowed", await viewOrder(context, order.id));
    const side = sideOf(order, asker);
    const message = await addMessage(db, order, { user_id: asker.uid, side, text: input.text });
    await tellTabs(db, { institutions: [order.institution_id, order.receiver_id] }, "order", order.id);
    return { id: message.id, time: message.at, who: asker.name, mine: true, text: message.text };
  },

  copy: async (input, context) => {
    const id = await copyOrder(context, input.id);
    context.subject = id;
    return viewOrder(context, id);
  },
});

const named = (attached: readonly { upload: string }[]): string[] => [...new Set(attached.map(({ upload }) => upload))];
