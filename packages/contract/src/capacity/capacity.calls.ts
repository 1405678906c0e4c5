import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id } from "../kernel/fields.ts";
import { caseRoles, clinicRoles } from "../kernel/roles.ts";

export const capacityCalls = {
  storage: call({
    method: "POST",
    path: "/v1/storage/info",
    access: caseRoles,
    says: "Storage used and allowed, in GB.",
    input: z.object({ iid: id.optional() }),
    output: z.object({ percent: z.number(), totalSize: z.number(), maxSize: z.number() }),
  }),
  analyses: call({
    method: "GET",
    path: "/v1/storage/stat",
    access: clinicRoles,
    says: "Analyses used and allowed.",
    input: z.object({}),
    output: z.object({ percent: z.number(), noi: z.int(), total: z.int() }),
  }),
} as const;
