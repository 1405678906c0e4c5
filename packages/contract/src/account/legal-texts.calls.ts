import { z } from "zod";
import { call } from "../kernel/call.ts";

export const legalKinds = ["terms", "privacy"] as const;
export type LegalKind = (typeof legalKinds)[number];

export const legalTextCalls = {
  privacyPolicy: call({
    method: "GET",
    path: "/v1/base/privacyPolicy",
    access: "anyone",
    summary: "The terms of use or the privacy policy, in the reader's language.",
    input: z.object({ kind: z.enum(legalKinds) }),
    output: z.object({ title: z.string(), version: z.string(), markdown: z.string() }),
  }),
} as const;
