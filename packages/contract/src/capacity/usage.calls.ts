import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id } from "../kernel/fields.ts";
import { caseRoles, clinicRoles } from "../kernel/roles.ts";

/** The usage below the sidebar of every page, apart from the calls of subscriptions and cards. */
export const usageCalls = {
  storage: call({
    method: "POST",
    path: "/v1/storage/info",
    access: caseRoles,
    summary: "Storage used and allowed, in GB.",
    input: z.object({ iid: id.optional() }),
    output: z.object({ percent: z.number(), totalSize: z.number(), maxSize: z.number() }),
  }),
  analyses: call({
    method: "GET",
    path: "/v1/storage/stat",
    access: clinicRoles,
    summary: "Analyses used and allowed.",
    input: z.object({}),
    output: z.object({ percent: z.number(), noi: z.int(), total: z.int() }),
  }),
} as const;
