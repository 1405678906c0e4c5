import { z } from "zod";
import { call } from "../kernel/call.ts";
import { caseRoles } from "../kernel/roles.ts";

/** The numbers in the bar of every page. They are apart from the other calls of orders, which few pages need at once. */
export const orderCountCalls = {
  counts: call({
    method: "GET",
    path: "/v1/order/counts",
    access: caseRoles,
    summary: "How many orders stand in each state, and how many wait for this organisation.",
    input: z.object({}),
    output: z.object({ all: z.int(), myTurn: z.int(), states: z.record(z.string(), z.int()) }),
  }),
} as const;
