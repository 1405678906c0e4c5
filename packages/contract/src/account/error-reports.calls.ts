import { z } from "zod";
import { call } from "../kernel/call.ts";
import { timestampInput, nullOutput, text } from "../kernel/fields.ts";

const clientError = z.object({
  message: text(2000),
  stack: text(8000).optional(),
  path: text(300),
  at: timestampInput,
});

export const errorReportCalls = {
  reportErrors: call({
    method: "POST",
    path: "/v1/base/reportErrors",
    access: "signedIn",
    summary:
      "Sends what went wrong in the browser to whoever runs this service, without personal data; kept for 30 days.",
    input: z.object({ errors: z.array(clientError).min(1).max(50) }),
    output: nullOutput,
  }),
} as const;
