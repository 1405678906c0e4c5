import { z } from "zod";
import { call } from "../kernel/call.ts";
import { emptyObject } from "../kernel/fields.ts";

/** The things that an installation needs before real people use it. */
export const installationChecks = ["demo", "publicUrl", "https", "mail", "sms", "secretKey", "backup"] as const;
export type InstallationCheck = (typeof installationChecks)[number];

/** "unknown": Arcada cannot tell, and the operator has to see to it. "off": an installation may go without. */
export const checkStates = ["done", "missing", "unknown", "off"] as const;
export type CheckState = (typeof checkStates)[number];

const access = ["operator"] as const;
export const installationCalls = {
  installation: call({
    method: "GET",
    path: "/v1/operator/installation",
    access,
    summary: "What the installation has and lacks: public address, https, mail, key, backup.",
    input: emptyObject,
    output: z.object({
      publicUrl: z.string().nullable(),
      checks: z.array(z.object({ name: z.enum(installationChecks), state: z.enum(checkStates) })),
    }),
  }),
  sendTestMail: call({
    method: "POST",
    path: "/v1/operator/sendTestMail",
    access,
    summary: "Sends an e-mail to the operator's own address at once, and says whether the mail server took it.",
    input: emptyObject,
    output: z.object({
      to: z.string().nullable(),
      state: z.enum(["sent", "notConfigured", "noAddress", "failed"]),
      /** The mail server's answer, without addresses; null unless it failed. */
      reason: z.string().nullable(),
    }),
  }),
} as const;
