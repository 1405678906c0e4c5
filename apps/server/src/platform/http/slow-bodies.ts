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
  stalledMs: number;
  /** The time that a body may take in all, unless it is a file. */
  wholeMs: number;
}
export const bodyLimits: BodyLimits = { stalledMs: 30_000, wholeMs: 300_000 };
/** A client that accepts nothing of a response for this time is cut off: Fastify's `connectionTimeout`. */
export const slowestReaderMs = 300_000;

interface Coming {
  raw: IncomingMessage;
  answer: ServerResponse;
  mayLast: boolean;
  began: number;
  moved: number;
  bytes: number;
}

/**
 * Ends requests whose bodies make no progress. Time in which this process was busy, or had not yet read the received
 * bytes, does not count against the sender.
 */
export function endSlowBodies(app: FastifyInstance, limits: BodyLimits = bodyLimits): void {
  const coming = new Set<Coming>();
  const every = Math.min(1000, limits.stalledMs / 5);
  app.addHook("onRequest", async ({ raw, routeOptions }, reply) => {
    const hasBody = raw.headers["transfer-encoding"] !== undefined || Number(raw.headers["content-length"] ?? 0) > 0;
    if (!hasBody || raw.complete) return;
    const now = performance.now();
    const mayLast = routeOptions.config.bodyMayLast ?? false;
    const one = { raw, answer: reply.raw, mayLast, began: now, moved: now, bytes: raw.socket.bytesRead };
    coming.add(one);
    raw.once("end", () => coming.delete(one)).once("close", () => coming.delete(one));
  });
  let looked = performance.now();
  const look = setInterval(() => {
    const now = performance.now();
    const busy = Math.max(0, now - looked - every);
    looked = now;
    for (const one of coming) if (!one.raw.complete && isOver(one, now, busy, limits)) end(one);
  }, every).unref();
  app.addHook("onClose", async () => clearInterval(look));
}

function isOver(one: Coming, now: number, busy: number, { stalledMs, wholeMs }: BodyLimits): boolean {
  const { bytesRead } = one.raw.socket;
  const isOurs = one.raw.readableLength > 0 && !one.answer.writableFinished;
  one.moved = bytesRead !== one.bytes || isOurs ? now : one.moved + busy;
  one.began += busy;
  one.bytes = bytesRead;
  // Once a request has been answered, the rest of its body is of no use.
  const whole = one.answer.writableFinished ? stalledMs : one.mayLast ? Number.POSITIVE_INFINITY : wholeMs;
  return now - one.moved > stalledMs || now - one.began > whole;
}

/** RFC 9110 15.5.9: the connection is closed after the response. */
function end({ raw, answer }: Coming): void {
  if (!answer.headersSent && raw.socket.writable)
    raw.socket.write("HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  raw.destroy();
}
