import { networkInterfaces } from "node:os";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../runtime/config.ts";
import { refuse } from "./refuse.ts";
import { isLoopback, withoutBrackets } from "./loopback-host.ts";

/**
 * True if a proxy visibly forwarded the request. nginx adds no header by default, but speaks HTTP/1.0, which no browser
 * does.
 */
const isForwarded = ({ headers, raw }: FastifyRequest): boolean =>
  raw.httpVersion === "1.0" ||
  Object.keys(headers).some((name) => /^(forwarded|via|x-real-ip|x-forwarded-.*)$/.test(name));

/**
 * True if the request comes from this machine, without a proxy and by its loopback name. DNS rebinding arrives under
 * another name.
 */
export const isFromThisMachine = (request: FastifyRequest): boolean =>
  isLoopback(request.socket.remoteAddress ?? "") && !isForwarded(request) && isLoopback(requestedHost(request));

const requestedHost = ({ headers }: FastifyRequest): string => (headers.host ?? "").replace(/:\d*$/, "");

// Load balancers call these under any address that they know; they contain nothing about anybody.
const unguarded = new Set(["/livez", "/healthz", "/readyz", "/metrics"]);

/**
 * Refuses requests under a host name that this server does not know as its own. Passkeys, the callback of a sign-in at
 * an identity provider and the base addresses of DICOMweb and FHIR follow the Host header if PUBLIC_URL is not set, so
 * a foreign name must not reach them. A demonstration that was not set explicitly answers only this machine, without a
 * proxy.
 */
export function guardHosts(app: FastifyInstance, config: Config): void {
  app.addHook("onRequest", async (request) => {
    if (config.PUBLIC_URL && !config.demoByDefault) return;
    if (unguarded.has(request.url.split("?")[0] ?? "")) return;
    const known = config.demoByDefault ? isFromThisMachine(request) : isOwnHost(config, request);
    if (!known) refuse("hostUnknown");
  });
}

function isOwnHost(config: Config, request: FastifyRequest): boolean {
  const name = withoutBrackets(request.hostname);
  if (isLoopback(name) || name === config.HOST) return true;
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === name));
}
