import { orderCalls } from "@arcada/contract/order/order.calls";
import { routes } from "../platform/http/serve.ts";
import { copyOrder, saveDraft } from "./order.draft.ts";
import { takeStep } from "./order.step.ts";
import { keepGlbs } from "./order.glb.ts";
import { lookAhead } from "./order.looks.ts";
import { listOrders } from "./list.pages.ts";
import { countsAsked, countsOf } from "./list.tally.ts";
import { keepPictures } from "./order.pictures.ts";
import { rowView, viewMoved, viewOrder } from "./order.view.ts";
import { sayMessage } from "./talk.messages.ts";

export const orderRoutes = routes(orderCalls, {
  list: async (input, { db, asker }) => {
    const { list, total, next } = await listOrders(db, asker, input);
    return { list: list.map((order) => rowView(order, asker)), total, next };
  },

  counts: { question: (_, { asker }) => countsAsked(asker.iid), answer: countsOf },

  detail: async (input, context) => {
    const order = await viewOrder(context, input.id);
    await keepGlbs(context.db, order.id);
    await keepPictures(context.db, order.id);
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
      const moved = await takeStep(context, input);
      context.detail = { action: input.action };
      return moved && viewMoved(context, moved);
    },
  },

  message: {
    before: (input, context) => lookAhead(context, input.files, undefined),
    within: (input, context) => sayMessage(context, input),
  },

  copy: async (input, context) => {
    const id = await copyOrder(context, input.id);
    context.subject = id;
    return viewOrder(context, id);
  },
});

const named = (attached: readonly { upload: string }[]): string[] => [...new Set(attached.map(({ upload }) => upload))];
