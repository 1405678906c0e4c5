import type { FastifyInstance } from "fastify";

/** The headers that a page of another origin may send. The header of sessions is not among them. */
const requestHeaders = [
  "accept",
  "accept-language",
  "authorization",
  "content-type",
  "if-match",
  "if-none-exist",
  "if-none-match",
  "prefer",
];
const responseHeaders = ["etag", "last-modified", "location", "request-id", "retry-after", "www-authenticate"];

/**
 * Lets pages of other origins read the answers of all routes of a scope: apps run in browsers. No cookie counts here, so
 * that a page gets nothing without a token that it was given.
 * @param path the paths that are asked for in advance (preflight)
 */
export function allowCrossOrigin(scope: FastifyInstance, path: string): void {
  scope.addHook("onRequest", async (_, reply) => {
    reply
      .header("access-control-allow-origin", "*")
      .header("access-control-expose-headers", responseHeaders.join(", "));
  });
  scope.options(path, (_, reply) =>
    reply
      .code(204)
      .header("access-control-allow-methods", "GET, POST, PUT, PATCH, DELETE")
      .header("access-control-allow-headers", requestHeaders.join(", "))
      .header("access-control-max-age", "3600")
      .send(),
  );
}
