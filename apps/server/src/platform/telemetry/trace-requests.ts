import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../runtime/config.ts";
import { isTracing, openSpan } from "./tracing.ts";
import type { OpenSpan } from "./tracing.ts";

/**
 * One span for each request, from its headers to the end of its answer. Without tracing it adds no hook at all. Only a
 * trusted proxy may name the trace: anybody else could make this server trace every request.
 */
export function traceRequests(app: FastifyInstance, { TRUST_PROXY }: Config): void {
  if (!isTracing()) return;
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook("onRequest", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    const parent = TRUST_PROXY ? request.headers.traceparent : undefined;
    const span = openSpan(`${request.method} ${route}`, {
      kind: "server",
      attributes: { "http.request.method": request.method, "http.route": route, "arcada.request": request.id },
      parent: typeof parent === "string" ? parent : undefined,
    });
    if (!span) return done();
    spans.set(request, span);
    // Unlike the hook onResponse, this is also reached by streams of events and by answers that break off.
    reply.raw.once("close", () =>
      span.end({ "http.response.status_code": reply.raw.statusCode }, reply.raw.statusCode >= 500),
    );
    span.run(done);
  });
  // A body arrives in events of the connection, outside of the context in which the request began.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
}
