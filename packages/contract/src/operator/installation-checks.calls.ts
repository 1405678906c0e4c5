import { z } from "zod";
import { call } from "../kernel/call.ts";
import { emptyObject, limited } from "../kernel/fields.ts";

/** The things that an installation needs before real people use it. */
export const installationChecks = ["demo", "publicUrl", "https", "mail", "sms", "secretKey", "backup"] as const;
export type InstallationCheck = (typeof installationChecks)[number];

/** "unknown": Arcada cannot tell, and the operator has to see to it. "off": an installation may go without. */
export const checkStates = ["done", "missing", "unknown", "off"] as const;
export type CheckState = (typeof checkStates)[number];

/**
 * The address that people open: scheme, host and port, without a path. Without https it must be this machine's own,
 * because passwords and images would travel unencrypted.
 */
export const publicAddress = limited(200, "publicAddressShape").trim().refine(isPublicAddress, "publicAddressShape");
function isPublicAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, hostname, username } = new URL(text);
  const isOrigin = (origin === text || `${origin}/` === text) && username === "";
  return isOrigin && (protocol === "https:" || (protocol === "http:" && isPrivateHost(hostname)));
}
const privateIpv4 = /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){1,3}$/;
const isPrivateHost = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || privateIpv4.test(hostname);

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
      /** The environment sets the address, so it cannot be changed here. */
      isPublicUrlFixed: z.boolean(),
      checks: z.array(z.object({ name: z.enum(installationChecks), state: z.enum(checkStates) })),
    }),
  }),
  setPublicUrl: call({
    method: "POST",
    path: "/v1/operator/setPublicUrl",
    access,
    summary: "Sets the address that people open, unless the environment sets it.",
    audit: "operator.setPublicUrl",
    input: z.object({ url: publicAddress }),
    output: emptyObject,
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
