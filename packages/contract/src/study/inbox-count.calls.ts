import { z } from "zod";
import { call } from "../kernel/call.ts";
import { emptyObject } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";

/** The number in the sidebar of every page, apart from the calls that describe studies. */
export const inboxCountCalls = {
  inboxCount: call({
    method: "GET",
    path: "/v1/study/inboxCount",
    access: clinicRoles,
    summary: "How many studies wait for their patient, up to 1,000.",
    input: emptyObject,
    output: z.object({ count: z.int() }),
  }),
} as const;
