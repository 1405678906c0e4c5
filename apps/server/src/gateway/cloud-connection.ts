import { request as plainRequest, Agent as PlainAgent, type IncomingMessage } from "node:http";
import { request as secureRequest, Agent as SecureAgent } from "node:https";
import { pipeline, Readable } from "node:stream";
import { getCACertificates } from "node:tls";
import { z } from "zod";
import type { GatewayConfig } from "./gateway.config.ts";
import { trimEndMatching } from "../platform/text/trim-characters.ts";

/** Arcada responded with a refusal. */
export class CloudRefused extends Error {
  override name = "CloudRefused";
  readonly status: number;
  /** Code in the response envelope; 0: the response was not Arcada's own. */
  readonly code: number;
  readonly retryAfterMs: number | null;
  constructor(status: number, envelopeData: { code?: number; msg?: string }, retryAfter: string | undefined) {
    super(envelopeData.msg || `answered ${status}`);
    this.status = status;
    this.code = envelopeData.code ?? 0;
    this.retryAfterMs = /^\d{1,5}$/.test(retryAfter ?? "") ? Number(retryAfter) * 1000 : null;
  }
}

/** The device's key is not valid: the device is locked, or unbound. */
export const isAccessDenied = (error: unknown): boolean =>
  error instanceof CloudRefused && [401, 403].includes(error.status);

/**
 * Time for which a connection may carry nothing: during a query, for which a device waits, and during an upload, which
 * Arcada reads before it responds.
 */
const requestSilenceMs = 8000;
export const transferSilenceMs = 60_000;
const maxResponseBytes = 8 * 1024 * 1024;

export type SendRequest = (
  method: "GET" | "HEAD" | "PATCH" | "POST",
  path: string,
  request?: RequestOptions,
) => Promise<CloudResponse>;
interface RequestOptions {
  body?: RequestBody;
  headers?: Record<string, string>;
  silentMs?: number;
}
/**
 * Opens a file of Arcada: the rest from a byte on (206) if its tag is still the same, else the whole (200). Rejects with
 * CloudRefused.
 */
export type OpenDownload = (path: string, rest?: { from: number; tag: string }) => Promise<IncomingMessage>;
export interface CloudResponse {
  status: number;
  text: string;
  headers: IncomingMessage["headers"];
}
export interface RequestBody {
  type: string;
  bytes: number;
  pieces(): Iterable<Buffer> | AsyncIterable<Buffer>;
}
/** The connection to Arcada: every request carries the device's key, over TLS. */
export function openConnection({ GATEWAY_CLOUD, GATEWAY_CA, key }: GatewayConfig): {
  ask: SendRequest;
  download: OpenDownload;
  close: () => void;
} {
  const base = trimEndMatching(GATEWAY_CLOUD, /\//);
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

  const ask: SendRequest = (method, path, { body, headers: more, silentMs: timeout = requestSilenceMs } = {}) =>
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
      const outgoing = send(`${base}${path}`, { method, agent, headers, timeout }, (answer) => {
        readResponse(answer).then(resolve, reject);
      });
      outgoing.on("timeout", () => outgoing.destroy(new Error("Arcada says nothing")));
      outgoing.on("error", reject);
      if (!body) return void outgoing.end();
      // A response may come before the whole body was sent: errors in sending the rest are then ignored.
      pipeline(Readable.from(body.pieces()), outgoing, (error) => error && reject(error));
    });
  const download: OpenDownload = (path, rest) =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(rest && { range: `bytes=${rest.from}-`, "if-range": rest.tag }),
      };
      const outgoing = send(`${base}${path}`, { agent, headers, timeout: transferSilenceMs }, (answer) => {
        if (answer.statusCode === 200 || (rest && answer.statusCode === 206)) resolve(answer);
        else readResponse(answer).then((refused) => reject(toCloudRefused(refused)), reject);
      });
      outgoing.on("timeout", () => outgoing.destroy(new Error("Arcada says nothing")));
      outgoing.on("error", reject).end();
    });
  return { ask, download, close: () => agent.destroy() };
}

async function readResponse(answer: IncomingMessage): Promise<CloudResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxResponseBytes) throw new Error("a long answer");
    chunks.push(chunk);
  }
  return { status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString(), headers: answer.headers };
}

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};
export const responseEnvelope = z.object({ code: z.number(), msg: z.string().catch(""), data: z.unknown() });

/** Makes an error from a refused request, with the code and message of the envelope if Arcada itself refused. */
export const toCloudRefused = ({ status, text, headers }: CloudResponse): CloudRefused =>
  new CloudRefused(status, responseEnvelope.safeParse(parseJson(text)).data ?? {}, headers["retry-after"]);
