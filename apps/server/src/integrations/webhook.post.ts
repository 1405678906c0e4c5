import http from "node:http";
import https from "node:https";
import type { Delivery } from "@arcada/contract/integrations/integrations.calls";
import { webhookRules } from "@arcada/contract/integrations/integrations.rules";
import type { Config } from "../platform/runtime/config.ts";
import {
  isAllowedEndpoint,
  resolveReachable,
  type ResolvedAddress,
} from "../platform/security/outbound-address-guard.ts";

export interface PostResult {
  status: number | null;
  milliseconds: number;
  problem: Delivery["problem"];
}

/** Sends once. No redirect is followed, no proxy is used, and of the response only the status is read. */
export async function postWebhook(
  address: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  networks: Config["WEBHOOK_NETWORKS"],
): Promise<PostResult> {
  const began = performance.now();
  const timeout = AbortSignal.timeout(webhookRules.timeoutSeconds * 1000);
  const result = await raceAbort(timeout, async () => {
    if (!isAllowedEndpoint(address, networks)) return { status: null, problem: "forbidden" as const };
    const url = new URL(address);
    const addresses = await resolveReachable(url.hostname, networks);
    if (!addresses) return { status: null, problem: "forbidden" as const };
    return { status: await request(url, addresses, { headers, body, signal: timeout }), problem: null };
  }).catch((error: unknown) => ({ status: null, problem: classifyProblem(error) }));
  return { ...result, milliseconds: Math.round(performance.now() - began) };
}

/** A name that does not resolve would otherwise block the sender without limit. */
const raceAbort = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  Promise.race([
    work(),
    new Promise<never>((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
    ),
  ]);

interface PostOptions {
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}
function request(url: URL, addresses: ResolvedAddress[], { headers, body, signal }: PostOptions): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = (url.protocol === "https:" ? https : http).request(
    url,
    {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      signal,
      // A new connection each time: a kept one would outlive the check of its address.
      agent: false,
      lookup: (_, options, done) =>
        options.all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family),
    },
    (response) => {
      resolve(response.statusCode ?? 0);
      response.on("error", () => {});
      response.destroy();
    },
  );
  sent.on("error", reject);
  sent.end(body);
  return promise;
}

function classifyProblem(error: unknown): NonNullable<PostResult["problem"]> {
  const { name, code = "" } = error as { name?: string; code?: string };
  if (name === "TimeoutError" || name === "AbortError" || code === "ETIMEDOUT") return "timeout";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "ENODATA") return "address";
  if (code === "ECONNREFUSED") return "refused";
  return /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|UNABLE_TO|SELF_SIGNED|EPROTO)/.test(code) ? "tls" : "network";
}
