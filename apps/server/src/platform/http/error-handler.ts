import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { refusedRequests } from "../telemetry/counters-and-histograms.ts";
import { findOutage } from "./outages.ts";
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
  setRetryAfter(reply, name);
  return reply.code(status).send({ code, msg, data: details });
}

/** A part that comes back is in use again within a second or two. */
const retryAfterSeconds = 2;

/** Says when to come back to a request that was refused only for now. Other refusals with status 503 are lasting. */
export function setRetryAfter(reply: FastifyReply, name: RefusalName): void {
  if (name === "unavailable" && !reply.hasHeader("retry-after")) reply.header("retry-after", retryAfterSeconds);
}

const refusalByCode: Record<string, RefusalName> = {
  FST_ERR_CTP_INVALID_JSON_BODY: "badJson",
  FST_ERR_CTP_EMPTY_JSON_BODY: "badJson",
  FST_ERR_CTP_BODY_TOO_LARGE: "tooLarge",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupportedMedia",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "badJson",
  // PostgreSQL: deadlocks or serialization failures, also after the retries (retry.ts).
  "40P01": "unavailable",
  "40001": "unavailable",
  // PostgreSQL: text that cannot be stored (a NUL or half a surrogate pair), also within JSON.
  "22021": "badInput",
  "22P05": "badInput",
  ENOENT: "internal",
};

export function refusalNameOf(error: unknown): RefusalName {
  if (error instanceof Refused) return error.refusal;
  const { code, statusCode, name } = error as Partial<FastifyError>;
  if (name === "SyntaxError" && statusCode === 400) return "badJson";
  return findOutage(error) ?? refusalByCode[code ?? ""] ?? (statusCode === 400 ? "badInput" : "internal");
}
