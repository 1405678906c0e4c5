import https from "node:https";
import http from "node:http";
import { createLocalJWKSet, importJWK } from "jose";
import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { limited } from "@arcada/contract/kernel/fields";
import { smartRules } from "@arcada/contract/smart/smart.rules";
import type { Config } from "../platform/runtime/config.ts";
import { isAllowedEndpoint, resolveReachable } from "../platform/security/outbound-address-guard.ts";
import type { ResolvedAddress } from "../platform/security/outbound-address-guard.ts";

/** The algorithms that SMART App Launch 2.2 requires of a server. */
export const keyAlgorithms = ["RS384", "ES384"];
const minRsaBits = 2048;

const part = limited(2000);
const publicKey = z.object({
  kty: z.enum(["RSA", "EC"]),
  kid: limited(200).optional(),
  alg: limited(20).optional(),
  use: limited(20).optional(),
  n: part.optional(),
  e: part.optional(),
  crv: limited(20).optional(),
  x: part.optional(),
  y: part.optional(),
});
const keySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())).min(1).max(smartRules.maxKeys) });

/** Returns the public keys of a set that can be used here; null if it has none, or names a private one. */
export async function readKeySet(text: string): Promise<JSONWebKeySet | null> {
  if (text.length > smartRules.maxKeySetLength) return null;
  const parsed = keySet.safeParse(parseJson(text));
  if (!parsed.success || parsed.data.keys.some((key) => "d" in key || "k" in key)) return null;
  const usable = await Promise.all(parsed.data.keys.map(toUsableKey));
  const keys = usable.filter((key) => key !== null);
  return keys.length > 0 ? { keys } : null;
}

async function toUsableKey(raw: unknown): Promise<JSONWebKeySet["keys"][number] | null> {
  const { data } = publicKey.safeParse(raw);
  if (!data || (data.use !== undefined && data.use !== "sig")) return null;
  if (data.kty === "EC" && data.crv !== "P-384") return null;
  const alg = data.kty === "RSA" ? "RS384" : "ES384";
  if (data.alg !== undefined && data.alg !== alg) return null;
  const key = Object.fromEntries(Object.entries({ ...data, alg }).filter(([, value]) => value !== undefined));
  const imported = await importJWK(key, alg).catch(() => null);
  if (imported === null || imported instanceof Uint8Array) return null;
  const { modulusLength } = imported.algorithm as { modulusLength?: number };
  return modulusLength !== undefined && modulusLength < minRsaBits ? null : (key as JSONWebKeySet["keys"][number]);
}

const trustedMs = 300_000;
const retryMs = 30_000;

/** Finds the keys of apps. Fetched keys are trusted for five minutes, and asked for again early if one is missing. */
export function createKeyFinder({ WEBHOOK_NETWORKS: networks }: Pick<Config, "WEBHOOK_NETWORKS">) {
  const fetched = new LRUCache<string, { keys: Promise<JSONWebKeySet | null>; at: number }>({ max: 500 });
  const load = (address: string, maxAgeMs: number): Promise<JSONWebKeySet | null> => {
    const known = fetched.get(address);
    if (known && Date.now() - known.at < maxAgeMs) return known.keys;
    const keys = fetchText(address, networks)
      .then(readKeySet)
      .catch(() => null);
    fetched.set(address, { keys, at: Date.now() });
    return keys;
  };
  return async (source: string): Promise<JWTVerifyGetKey | null> => {
    if (source.startsWith("{")) {
      const keys = await readKeySet(source);
      return keys && createLocalJWKSet(keys);
    }
    const keys = await load(source, trustedMs);
    const find = keys && createLocalJWKSet(keys);
    return async (header, token) => {
      try {
        if (find) return await find(header, token);
      } catch {
        // The app may have changed its keys since.
      }
      const fresh = await load(source, retryMs);
      if (!fresh) throw new Error("The keys of the app cannot be fetched.");
      return createLocalJWKSet(fresh)(header, token);
    };
  };
}

const timeoutMs = 5000;

/** Fetches a small text. No redirect is followed, no proxy is used, and inner networks are out of reach. */
async function fetchText(address: string, networks: Config["WEBHOOK_NETWORKS"]): Promise<string> {
  if (!isAllowedEndpoint(address, networks)) throw new Error("This address must not be fetched.");
  const url = new URL(address);
  const signal = AbortSignal.timeout(timeoutMs);
  const addresses = await Promise.race([resolveReachable(url.hostname, networks), rejectOnAbort(signal)]);
  if (!addresses) throw new Error("This address leads into an inner network.");
  return request(url, addresses, signal);
}

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }));

function request(url: URL, addresses: ResolvedAddress[], signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const sent = (url.protocol === "https:" ? https : http).get(
    url,
    {
      headers: { accept: "application/json" },
      signal,
      agent: false,
      lookup: (_, options, done) =>
        options.all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family),
    },
    (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        if (text.length > smartRules.maxKeySetLength) response.destroy(new Error("The set of keys is too long."));
      });
      response.on("end", () => (response.statusCode === 200 ? resolve(text) : reject(new Error("No keys are there."))));
      response.on("error", reject);
    },
  );
  sent.on("error", reject);
  return promise;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
