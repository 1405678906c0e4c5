import { z } from "zod";
import { call } from "../kernel/call.ts";
import { required } from "../kernel/fields.ts";
import { managerRoles } from "../kernel/roles.ts";
import { exchangeCode } from "./exchange-code.calls.ts";

/** For other software of an institution, with a key; people are refused. */
export const launchCalls = {
  code: call({
    method: "POST",
    path: "/v1/base/launchCode",
    access: managerRoles,
    summary:
      "By a key: makes a single-use code that opens this product as `?token=` for a member of its organisation who allowed it.",
    input: z.object({
      /** The member's id or e-mail address. */
      user: required(120),
    }),
    output: exchangeCode,
  }),
} as const;
