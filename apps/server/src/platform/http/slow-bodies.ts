import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The body is a file, which may take any time as long as it makes progress. */
    bodyMayLast?: boolean;
  }
}

export interface BodyLimits {
  /** The time for which any body may bring nothing. */
  stallTimeoutMs: number;
  /** The time that a body may take in all, unless it is a file. */
  bodyTimeoutMs: number;
}
export const bodyLimits: BodyLimits = { stallTimeoutMs: 30_000, bodyTimeoutMs: 300_000 };
/** A client that accepts nothing of a response for this time is cut off: Fastify's `connectionTimeout`. */
export const readerTimeoutMs = 300_000;

interface OpenRequest {
  raw: IncomingMessage;
  response: ServerResponse;
  mayTakeLong: boolean;
  startedAt: number;
  progressAt: number;
  bytes: number;
}

/**
 * Ends requests whose bodies make no progress. Time in which this process was busy, or had not yet read the received
 * bytes, does not count against the sender.
 */
export function limitSlowBodies(app: FastifyInstance, limits: BodyLimits = bodyLimits): void {
  const openRequests = new Set<OpenRequest>();
  const every = Math.min(1000, limits.stallTimeoutMs / 5);
  app.addHook("onRequest", async ({ raw, routeOptions }, reply) => {
    const hasBody = raw.headers["transfer-encoding"] !== undefined || Number(raw.headers["content-length"] ?? 0) > 0;
    if (!hasBody || raw.complete) return;
    const now = performance.now();
    const mayTakeLong = routeOptions.config.bodyMayLast ?? false;
    const one = {
      raw,
      response: reply.raw,
      mayTakeLong,
      startedAt: now,
      progressAt: now,
      bytes: raw.socket.bytesRead,
    };
    openRequests.add(one);
    raw.once("end", () => openRequests.delete(one)).once("close", () => openRequests.delete(one));
  });
  let checkedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const busy = Math.max(0, now - checkedAt - every);
    checkedAt = now;
    for (const one of openRequests) if (!one.raw.complete && isTooSlow(one, now, busy, limits)) abortRequest(one);
  }, every).unref();
  app.addHook("onClose", async () => clearInterval(timer));
}

function isTooSlow(
  one: OpenRequest,
  now: number,
  busy: number,
  { stallTimeoutMs, bodyTimeoutMs }: BodyLimits,
): boolean {
  const { bytesRead } = one.raw.socket;
  const isOurs = one.raw.readableLength > 0 && !one.response.writableFinished;
  one.progressAt = bytesRead !== one.bytes || isOurs ? now : one.progressAt + busy;
  one.startedAt += busy;
  one.bytes = bytesRead;
  // Once a request has been answered, the rest of its body is of no use.
  const whole = one.response.writableFinished
    ? stallTimeoutMs
    : one.mayTakeLong
      ? Number.POSITIVE_INFINITY
      : bodyTimeoutMs;
  return now - one.progressAt > stallTimeoutMs || now - one.startedAt > whole;
}

/** RFC 9110 15.5.9: the connection is closed after the response. */
function abortRequest({ raw, response }: OpenRequest): void {
  if (!response.headersSent && raw.socket.writable)
    raw.socket.write("HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  raw.destroy();
}
