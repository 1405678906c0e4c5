import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id } from "../kernel/fields.ts";
import { offeredLanguages } from "../kernel/languages.ts";
import { caseRoles } from "../kernel/roles.ts";
import { toothSchemes } from "../kernel/tooth-schemes.ts";

export const prescriptionCalls = {
  prescription: call({
    method: "GET",
    path: "/v1/order/prescription",
    access: caseRoles,
    summary: "The short-lived address of an order's prescription on paper: a PDF in A4, as the asker may know it.",
    audit: "order.print",
    input: z.object({
      id,
      /** If omitted: the caller's own language. */
      lang: z.enum(offeredLanguages).optional(),
      teeth: z.enum(toothSchemes).default("fdi"),
    }),
    output: z.object({ url: z.string() }),
  }),
} as const;
