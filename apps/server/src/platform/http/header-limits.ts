import type { ServerOptions } from "node:http";
import type { FastifyInstance } from "fastify";

/** A browser sends about twenty headers, and a chain of proxies as many more. */
export const maxHeaders = 100;

/** Settings of Node's HTTP server. Headers above 16 KB are answered by 431, and those that come too slowly by 408. */
export const headerLimits: ServerOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  // The time limit is checked at this interval only.
  connectionsCheckingInterval: 5000,
};

/**
 * Refuses requests with too many headers. By itself Node drops those above 2000 without a word, among them the ones
 * that a proxy adds last: a request could hide that it was forwarded.
 */
export function limitHeaders(app: FastifyInstance): void {
  app.server.maxHeadersCount = 0;
  app.addHook("onRequest", async ({ raw }, reply) => {
    if (raw.rawHeaders.length > maxHeaders * 2) return reply.code(431).header("connection", "close").send();
    return undefined;
  });
}
