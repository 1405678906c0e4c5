import { orderCalls } from "@arcada/contract/order/order.calls";
import { routes } from "../../platform/http/serve-calls.ts";
import { copyOrder, saveDraft } from "./draft.ts";
import { performAction } from "../transition/perform-action.ts";
import { refreshStreamingCopies } from "../files/make-streaming-copies.ts";
import { inspectUploads } from "../files/inspect-uploads.ts";
import { listOrders } from "../list/list-pages.ts";
import { countersQuery, sumCounters } from "../list/order-counters.ts";
import { requestMissingDisplayImages } from "../files/make-display-images.ts";
import { rowView, viewChangedOrder, viewOrder } from "./order.view.ts";
import { sendMessage } from "../messages/send-message.ts";

export const orderRoutes = routes(orderCalls, {
  list: async (input, { db, principal }) => {
    const { list, total, next } = await listOrders(db, principal, input);
    return { list: list.map((order) => rowView(order, principal)), total, next };
  },

  counts: { queries: (_, { principal }) => countersQuery(principal.iid), toOutput: sumCounters },

  detail: async (input, context) => {
    const order = await viewOrder(context, input.id);
    await refreshStreamingCopies(context.db, order.id);
    await requestMissingDisplayImages(context.db, order.id);
    return order;
  },

  save: {
    prepare: (input, context) => inspectUploads(context, uploadIds(input.uploads), input.id),
    handle: async (input, context) => {
      const id = await saveDraft(context, input);
      context.subject = id;
      return viewOrder(context, id);
    },
  },

  step: {
    prepare: (input, context) => inspectUploads(context, uploadIds(input.files ?? []), undefined),
    handle: async (input, context) => {
      const moved = await performAction(context, input);
      context.detail = { action: input.action };
      return moved && viewChangedOrder(context, moved);
    },
  },

  message: {
    prepare: (input, context) => inspectUploads(context, input.files, undefined),
    handle: (input, context) => sendMessage(context, input),
  },

  copy: async (input, context) => {
    const id = await copyOrder(context, input.id);
    context.subject = id;
    return viewOrder(context, id);
  },
});

const uploadIds = (attached: readonly { upload: string }[]): string[] => [
  ...new Set(attached.map(({ upload }) => upload)),
];
