import { LogController } from "fastify";
import type { FastifyReply, FastifyRequest, FastifyServerOptions } from "fastify";
import pino from "pino";
import { redactError } from "./redact-error.ts";
import type { Config } from "../runtime/config.ts";
import { traceIds } from "./log.ts";

/** Writes one line for each request, at the level `info`. */
class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: "request" });
  }
  override incomingRequest(): void {}
  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    { log, statusCode, elapsedTime }: FastifyReply,
  ): void {
    if (error) return log.error({ err: error }, "the answer broke off");
    if (!(log as Partial<pino.Logger>).isLevelEnabled?.("info")) return;
    const { method, url, ip, routeOptions } = request;
    const ms = Math.round(elapsedTime * 10) / 10;
    log.info(
      { method, path: pathForLog(url), route: routeOptions.url, address: ip, status: statusCode, ms },
      "request",
    );
  }
}

/** Queries contain search words and identifiers of people, and the end of a file's address opens it. */
const pathForLog = (url: string): string =>
  (url.split("?")[0] ?? "").replace(/^(\/files\/[^/]+\/[^/]+\/[^/]+).*/, "$1");

/**
 * The options with which Fastify writes lines of the one shape: `time`, `level`, `about` and `message`, in a request
 * also `request`, `user` and `organisation`, and `trace_id` if the process traces.
 */
export const logOptions = ({ LOG_LEVEL }: Config) =>
  ({
    logger:
      LOG_LEVEL === "silent"
        ? false
        : {
            level: LOG_LEVEL,
            base: { about: "http" },
            messageKey: "message",
            timestamp: pino.stdTimeFunctions.isoTime,
            formatters: { level: (label: string) => ({ level: label }) },
            mixin: traceIds,
            // The default of Fastify would write the whole address with its query.
            serializers: {
              req: ({ method, url }: FastifyRequest) => ({ method, path: pathForLog(url) }),
              err: redactError,
            },
            redact: ["req.headers"],
          },
    logController: new RequestLog(),
  }) satisfies FastifyServerOptions;

/** Adds the ids of the person and of the organisation to every further line of this request. */
export function logCaller({ log }: FastifyRequest, { uid, iid }: { uid: string | null; iid: string | null }): void {
  (log as Partial<pino.Logger>).setBindings?.({ ...(uid && { user: uid }), ...(iid && { organisation: iid }) });
}
