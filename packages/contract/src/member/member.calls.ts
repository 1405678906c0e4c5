import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant } from "../kernel/fields.ts";
import { caseRoles } from "../kernel/roles.ts";

export const memberCalls = {
  list: call({
    method: "GET",
    path: "/v1/member/list",
    access: caseRoles,
    says: "The members of the session's organisation.",
    input: z.object({}),
    output: z.array(
      z.object({
        id,
        userId: id,
        name: z.string(),
        authorityId: z.int(),
        phone: z.string().nullable(),
        email: z.string().nullable(),
        joinedAt: instant,
        status: z.int(),
      }),
    ),
  }),
} as const;
