import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, version } from "../kernel/fields.ts";
import { clinicRoles, labRoles } from "../kernel/roles.ts";
import { remakeReason } from "./related-orders.schema.ts";
import { order, rxChange } from "./order.calls.ts";

/** Calls about derived orders: the rights of others on an order, and the orders that result from it. */
export const forwardCalls = {
  saveChild: call({
    method: "POST",
    path: "/v1/order/saveChild",
    access: labRoles,
    summary:
      "Changes the draft by which a lab passes an order on; with `send` it is submitted in the same transaction.",
    isIdempotent: true,
    audit: "order.saveChild",
    input: z.object({ id, version, prescription: rxChange, send: z.boolean().default(false) }),
    output: order,
  }),
  remake: call({
    method: "POST",
    path: "/v1/order/remake",
    access: clinicRoles,
    summary: "Makes a new draft of a completed order whose work has to be made again.",
    isIdempotent: true,
    audit: "order.remake",
    input: z.object({ id, ...remakeReason }),
    output: order,
  }),
  letShare: call({
    method: "POST",
    path: "/v1/order/letShare",
    access: clinicRoles,
    summary: "Lets the lab make links to an order, or no more: then those that it made end.",
    isIdempotent: true,
    audit: "order.letShare",
    input: z.object({ id, on: z.boolean() }),
    output: order,
  }),
} as const;
