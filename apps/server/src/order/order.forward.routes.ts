import { forwardCalls } from "@arcada/contract/order/forward.calls";
import { routes } from "../platform/http/serve.ts";
import { remakeOrder } from "./order.draft.ts";
import { saveChild } from "./order.forward.ts";
import { setLabSharing } from "./order.sharing.ts";
import { viewOrder } from "./order.view.ts";

export const forwardRoutes = routes(forwardCalls, {
  saveChild: async (input, context) => viewOrder(context, await saveChild(context, input)),

  remake: async (input, context) => {
    const id = await remakeOrder(context, input);
    context.subject = id;
    context.detail = { class: input.class, bears: input.bears };
    return viewOrder(context, id);
  },

  letShare: async (input, context) => {
    await setLabSharing(context, input);
    context.detail = { on: input.on };
    return viewOrder(context, input.id);
  },
});
