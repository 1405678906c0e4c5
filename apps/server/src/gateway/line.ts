import { request as plainRequest, Agent as PlainAgent, type IncomingMessage } from "node:http";
import { request as secureRequest, Agent as SecureAgent } from "node:https";
import { pipeline, Readable } from "node:stream";
import { getCACertificates } from "node:tls";
import { z } from "zod";
import type { GatewayConfig } from "./gateway.config.ts";
import { trimEndOf } from "../kernel/trim.ts";

/** Arcada answers, and says no. */
export class CloudRefused extends Error {
  override name = "CloudRefused";
  readonly status: number;
  /** Of the envelope; 0: it was none of Arcada's own. */
  readonly code: number;
  readonly retryAfterMs: number | null;
  constructor(status: number, said: { code?: number; msg?: string }, retryAfter: string | undefined) {
    super(said.msg || `answered ${status}`);
    this.status = status;
    this.code = said.code ?? 0;
    this.retryAfterMs = /^\d{1,5}$/.test(retryAfter ?? "") ? Number(retryAfter) * 1000 : null;
  }
}

/** Its key opens nothing: it is locked, or unbound. */
export const isShutOut = (error: unknown): boolean =>
  error instanceof CloudRefused && [401, 403].includes(error.status);

/** So long a line may carry nothing: under a question, for which a device waits, and under bytes, which Arcada reads before it answers. */
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
/** The way to Arcada: every request carries the device's key, over TLS. */
export function openLine({ GATEWAY_CLOUD, GATEWAY_CA, key }: GatewayConfig): { ask: Ask; close: () => void } {
  const base = trimEndOf(GATEWAY_CLOUD, /\//);
  const isSecure = base.startsWith("https:");
  // Whoever operates this machine decides whom it trusts; Node by itself would know its own list alone.
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
      // As an option the silence counts from before the connection stands.
      const asking = send(`${base}${path}`, { method, agent, headers, timeout }, (answer) => {
        readAnswer(answer).then(resolve, reject);
      });
      asking.on("timeout", () => asking.destroy(new Error("Arcada says nothing")));
      asking.on("error", reject);
      if (!body) return void asking.end();
      // An answer may come before the whole body has gone: what becomes of the rest is nobody's error then.
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

/** What a refusal says, where Arcada itself refused. */
export const refusalOf = ({ status, text, headers }: Answer): CloudRefused =>
  new CloudRefused(status, envelope.safeParse(parsed(text)).data ?? {}, headers["retry-after"]);
