import { request as plainRequest, Agent as PlainAgent, type IncomingMessage } from "node:http";
import { request as secureRequest, Agent as SecureAgent } from "node:https";
import { pipeline, Readable } from "node:stream";
import { getCACertificates } from "node:tls";
import { z } from "zod";
import type { GatewayConfig } from "./gateway.config.ts";
import { trimEndOf } from "../platform/text/trim.ts";

/** Arcada responded with a refusal. */
export class CloudRefused extends Error {
  override name = "CloudRefused";
  readonly status: number;
  /** Code in the response envelope; 0: the response was not Arcada's own. */
  readonly code: number;
  readonly retryAfterMs: number | null;
  constructor(status: number, said: { code?: number; msg?: string }, retryAfter: string | undefined) {
    super(said.msg || `answered ${status}`);
    this.status = status;
    this.code = said.code ?? 0;
    this.retryAfterMs = /^\d{1,5}$/.test(retryAfter ?? "") ? Number(retryAfter) * 1000 : null;
  }
}

/** The device's key is not valid: the device is locked, or unbound. */
export const isShutOut = (error: unknown): boolean =>
  error instanceof CloudRefused && [401, 403].includes(error.status);

/**
 * Time for which a connection may carry nothing: during a query, for which a device waits, and during an upload, which
 * Arcada reads before it responds.
 */
const silentQuestionMs = 8000;
export const silentUnderBytesMs = 60_000;
const answerMost = 8 * 1024 * 1024;

export type Ask = (method: "GET" | "HEAD" | "PATCH" | "POST", path: string, asked?: Asked) => Promise<Answer>;
interface Asked {
  body?: Body;
  headers?: Record<string, string>;
  silentMs?: number;
}
export interface Answer {
  status: number;
  text: string;
  headers: IncomingMessage["headers"];
}
export interface Body {
  type: string;
  bytes: number;
  pieces(): Iterable<Buffer> | AsyncIterable<Buffer>;
}
/** The connection to Arcada: every request carries the device's key, over TLS. */
export function openLine({ GATEWAY_CLOUD, GATEWAY_CA, key }: GatewayConfig): { ask: Ask; close: () => void } {
  const base = trimEndOf(GATEWAY_CLOUD, /\//);
  const isSecure = base.startsWith("https:");
  // The operator of this machine decides which authorities it trusts. Node alone would use only its own list.
  const ca = () => [
    ...getCACertificates("default"),
    ...getCACertificates("system"),
    ...(GATEWAY_CA ? [GATEWAY_CA] : []),
  ];
  const keeping = { keepAlive: true, maxSockets: 4 };
  const agent = isSecure ? new SecureAgent({ ...keeping, ca: ca(), minVersion: "TLSv1.2" }) : new PlainAgent(keeping);
  const send = isSecure ? secureRequest : plainRequest;

  const ask: Ask = (method, path, { body, headers: more, silentMs: timeout = silentQuestionMs } = {}) =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${key}`,
        "accept-language": "en",
        accept: "application/json",
        ...(body
          ? { "content-type": body.type, "content-length": body.bytes }
          : method === "POST" && { "content-length": 0 }),
        ...more,
      };
      // Passed as an option, the timeout also covers the time before the connection is established.
      const asking = send(`${base}${path}`, { method, agent, headers, timeout }, (answer) => {
        readAnswer(answer).then(resolve, reject);
      });
      asking.on("timeout", () => asking.destroy(new Error("Arcada says nothing")));
      asking.on("error", reject);
      if (!body) return void asking.end();
      // A response may come before the whole body was sent: errors in sending the rest are then ignored.
      pipeline(Readable.from(body.pieces()), asking, (error) => error && reject(error));
    });
  return { ask, close: () => agent.destroy() };
}

async function readAnswer(answer: IncomingMessage): Promise<Answer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > answerMost) throw new Error("a long answer");
    pieces.push(piece);
  }
  return { status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString(), headers: answer.headers };
}

export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};
export const envelope = z.object({ code: z.number(), msg: z.string().catch(""), data: z.unknown() });

/** Makes an error from a refused request, with the code and message of the envelope if Arcada itself refused. */
export const refusalOf = ({ status, text, headers }: Answer): CloudRefused =>
  new CloudRefused(status, envelope.safeParse(parsed(text)).data ?? {}, headers["retry-after"]);
