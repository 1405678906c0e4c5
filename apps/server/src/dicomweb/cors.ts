import type { FastifyInstance } from "fastify";

const preflightHeaders = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "authorization, accept, content-type, if-none-match",
  "access-control-max-age": "600",
} as const;
const exposedHeaders = "content-location, content-type, etag, warning, request-id";

/**
 * Allows requests from viewers on other origins that the operator configures, with a token of their own. Cookies are
 * never allowed, so another origin cannot use the session of a signed-in user.
 */
export function allowOrigins(scope: FastifyInstance, root: string, origins: readonly string[]): void {
  if (origins.length === 0) return;
  scope.addHook("onRequest", async (request, reply) => {
    reply.header("vary", "origin");
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return;
    reply
      .header("access-control-allow-origin", origin)
      .header("access-control-expose-headers", exposedHeaders)
      .header("cross-origin-resource-policy", "cross-origin");
  });
  scope.options(`${root}/*`, async (request, reply) => {
    if (origins.includes(request.headers.origin ?? "")) reply.headers(preflightHeaders);
    return reply.code(204).send();
  });
}
