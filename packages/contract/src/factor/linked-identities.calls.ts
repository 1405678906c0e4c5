import { z } from "zod";
import { call } from "../kernel/call.ts";
import { limited, nullOutput } from "../kernel/fields.ts";

export const linkedIdentityCalls = {
  identityRemove: call({
    method: "POST",
    path: "/v1/factor/identityRemove",
    access: "signedIn",
    summary: "Unlinks the account of another house.",
    input: z.object({ issuer: limited(500), subject: limited(500) }),
    output: nullOutput,
  }),
} as const;
