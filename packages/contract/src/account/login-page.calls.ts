import { z } from "zod";
import { call } from "../kernel/call.ts";
import { emptyObject } from "../kernel/fields.ts";

export const loginPageCalls = {
  welcome: call({
    method: "GET",
    path: "/v1/base/welcome",
    access: "anyone",
    summary:
      "What the login page shows: titles, company block, hotline, service hours, version, and the demo accounts in demo mode.",
    input: emptyObject,
    output: z.object({
      company: z.object({ name: z.string(), site: z.string().nullable(), address: z.string().nullable() }),
      hotline: z.string().nullable(),
      serviceHours: z.object({ from: z.string(), to: z.string() }),
      copyright: z.string(),
      /** The version of the server, as in its changelog. */
      version: z.string(),
      announcement: z.string().nullable(),
      /** Shown in Chinese only. */
      recruitment: z.object({ text: z.string(), url: z.string().nullable() }).nullable(),
      demo: z
        .object({
          password: z.string(),
          accounts: z.array(z.object({ account: z.string(), name: z.string(), role: z.string() })),
        })
        .nullable(),
      outbox: z.boolean(),
      /** False: nobody can register, sign in or be warned by phone, because no text message can be sent. */
      phone: z.boolean(),
      passwordMin: z.int(),
      /** Minutes without a touch after which the screen is locked; 0: never. */
      idleMinutes: z.number(),
      /** Identity providers by which a user can sign in. */
      providers: z.array(z.object({ id: z.string(), label: z.string() })),
    }),
  }),
} as const;
