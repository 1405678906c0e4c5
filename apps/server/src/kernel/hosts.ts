import { networkInterfaces } from "node:os";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "./config.ts";
import { refuse } from "./refuse.ts";

/** Whether a host name or address, with or without the brackets of IPv6, means the machine that it is used on. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|(.+\.)?localhost|(::ffff:)?127(\.\d{1,3}){3}|::1)$/i.test(withoutBrackets(host));
const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

/**
 * Whether a proxy handed the request on, as far as it shows. nginx, unless told otherwise, adds no header, but speaks
 * HTTP/1.0, which no browser does.
 */
const isForwarded = ({ headers, raw }: FastifyRequest): boolean =>
  raw.httpVersion === "1.0" ||
  Object.keys(headers).some((name) => /^(forwarded|via|x-real-ip|x-forwarded-.*)$/.test(name));

/** Whether somebody on this machine asks, without a proxy and by its loopback name: DNS rebinding brings another name. */
export const isFromThisMachine = (request: FastifyRequest): boolean =>
  isLoopback(request.socket.remoteAddress ?? "") && !isForwarded(request) && isLoopback(sentName(request));

const sentName = ({ headers }: FastifyRequest): string => (headers.host ?? "").replace(/:\d*$/, "");

// Balancers ask for these under whatever address they know; they say nothing of anybody.
const unguarded = new Set(["/livez", "/healthz", "/readyz", "/metrics"]);

/**
 * Refuses requests under a name that this server does not know as its own. Passkeys, the callback of a sign-in elsewhere
 * and the base addresses of DICOMweb and FHIR follow the Host header where PUBLIC_URL is not set, so a stranger's name
 * must not reach them. A demo that nobody asked for answers this machine alone, without a proxy.
 */
export function guardHosts(app: FastifyInstance, config: Config): void {
  if (config.PUBLIC_URL && !config.demoByDefault) return;
  app.addHook("onRequest", async (request) => {
    if (unguarded.has(request.url.split("?")[0] ?? "")) return;
    const known = config.demoByDefault ? isFromThisMachine(request) : isOwnName(config, request);
    if (!known) refuse("hostUnknown");
  });
}

function isOwnName(config: Config, request: FastifyRequest): boolean {
  const name = withoutBrackets(request.hostname);
  if (isLoopback(name) || name === config.HOST) return true;
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === name));
}
