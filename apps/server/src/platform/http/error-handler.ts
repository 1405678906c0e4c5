import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { refusedRequests } from "../telemetry/counters-and-histograms.ts";
import { Refused } from "./refuse.ts";
import { parseLanguage, translate } from "../text/texts.ts";

/** Turns every error of a request into an envelope with a named refusal, in the reader's language. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const name = refusalNameOf(error);
    refusedRequests.inc({ refusal: name });
    if (name === "internal") request.log.error({ err: error, route: request.routeOptions.url }, "unexpected");
    return sendRefusal(request, reply, name, error instanceof Refused ? error.details : null);
  });
}

export function sendRefusal(request: FastifyRequest, reply: FastifyReply, name: RefusalName, details: unknown = null) {
  const { code, status } = refusals[name];
  const values = typeof details === "object" && details !== null ? (details as Record<string, string>) : {};
  const msg = translate(parseLanguage(request.headers["accept-language"]), "refusals", name, values);
  if (status === 503 && !reply.hasHeader("retry-after")) reply.header("retry-after", retryAfterSeconds);
  return reply.code(status).send({ code, msg, data: details });
}

/** A part that comes back is in use again within a second or two. */
const retryAfterSeconds = 2;

const refusalByCode: Record<string, RefusalName> = {
  FST_ERR_CTP_INVALID_JSON_BODY: "badJson",
  FST_ERR_CTP_EMPTY_JSON_BODY: "badJson",
  FST_ERR_CTP_BODY_TOO_LARGE: "tooLarge",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupportedMedia",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "badJson",
  // PostgreSQL: disk full, shutting down, another of its processes crashed, starting up, too many connections.
  "53100": "storageFull",
  "57P01": "unavailable",
  "57P02": "unavailable",
  "57P03": "unavailable",
  "53300": "unavailable",
  // PostgreSQL: a lost connection; a pooler that has none to give; a server that is a replica, as during a failover.
  "08000": "unavailable",
  "08003": "unavailable",
  "08006": "unavailable",
  "08P01": "unavailable",
  "25006": "unavailable",
  // PostgreSQL: deadlocks or serialization failures, also after the retries (retry.ts).
  "40P01": "unavailable",
  "40001": "unavailable",
  // PostgreSQL: text that cannot be stored (a NUL or half a surrogate pair), also within JSON.
  "22021": "badInput",
  "22P05": "badInput",
  ENOSPC: "storageFull",
  EDQUOT: "storageFull",
  ECONNREFUSED: "unavailable",
  ECONNRESET: "unavailable",
  EPIPE: "unavailable",
  ETIMEDOUT: "unavailable",
  EHOSTUNREACH: "unavailable",
  ENOENT: "internal",
};

// pg gives no error code when a connection is cut during a query, so the message decides.
const lostConnection = /^(Connection terminated|Client has encountered a connection error|Client was closed)/;

export function refusalNameOf(error: unknown): RefusalName {
  if (error instanceof Refused) return error.refusal;
  const { code, statusCode, name, message } = error as Partial<FastifyError>;
  if (name === "SyntaxError" && statusCode === 400) return "badJson";
  if (code === undefined && lostConnection.test(message ?? "")) return "unavailable";
  return refusalByCode[code ?? ""] ?? (statusCode === 400 ? "badInput" : "internal");
}
