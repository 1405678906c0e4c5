import { forwardCalls } from "@arcada/contract/order/forwarding.calls";
import { routes } from "../../platform/http/serve-calls.ts";
import { remakeOrder } from "../core/draft.ts";
import { saveChild } from "./forward-order.ts";
import { setLabSharing } from "../sharing/lab-sharing.ts";
import { viewOrder } from "../core/order.view.ts";

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
