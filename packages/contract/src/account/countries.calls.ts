import { z } from "zod";
import { call } from "../kernel/call.ts";
import { emptyObject } from "../kernel/fields.ts";

export const countryCalls = {
  fetchCountries: call({
    method: "POST",
    path: "/v1/base/fetchCountries",
    access: "anyone",
    summary: "The countries with their names and telephone codes.",
    input: emptyObject,
    output: z.array(z.object({ name: z.string(), native: z.string(), code: z.string(), phoneCode: z.string() })),
  }),
} as const;
