import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { request as plainRequest, Agent as PlainAgent, type IncomingMessage } from "node:http";
import { request as secureRequest, Agent as SecureAgent } from "node:https";
import { pipeline, Readable } from "node:stream";
import { getCACertificates } from "node:tls";
import { z } from "zod";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import type { Input, Output } from "@arcada/contract/kernel/call";
import { successCode } from "@arcada/contract/kernel/refusals";
import type { GatewayConfig } from "./gateway.config.ts";
import type { Waiting } from "./queue.ts";

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

/** What became of the objects of a batch, by their UIDs. */
export interface Stored {
  kept: ReadonlySet<string>;
  /** Reason (0008,1197). */
  failed: ReadonlyMap<string, number>;
  /** Reasons of those that Arcada could not name. */
  nameless: readonly number[];
}
export interface Cloud {
  store(batch: readonly Waiting[]): Promise<Stored>;
  hello(input: Input<typeof deviceCalls.hello>): Promise<Output<typeof deviceCalls.hello>>;
  worklist(query: Input<typeof deviceCalls.worklist>): Promise<Output<typeof deviceCalls.worklist>>;
  close(): void;
}

/** So long a line may carry nothing: under objects, which Arcada reads before it answers, and under a question, for which a device waits. */
const silentMs = { objects: 60_000, question: 8000 } as const;
const answerMost = 8 * 1024 * 1024;

/** Arcada as this device sees it: every request carries its key, over TLS. Throws CloudRefused, or what the network throws. */
export function openCloud({ GATEWAY_CLOUD, GATEWAY_CA, key }: GatewayConfig): Cloud {
  const base = GATEWAY_CLOUD.replace(/\/+$/, "");
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

  const ask = (method: "GET" | "POST", path: string, body?: Body): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${key}`,
        "accept-language": "en",
        accept: body?.accept ?? "application/json",
        ...(body && { "content-type": body.type, "content-length": body.bytes }),
      };
      // As an option it counts from before the connection stands.
      const timeout = silentMs[body?.accept ? "objects" : "question"];
      const asking = send(`${base}${path}`, { method, agent, headers, timeout }, (answer) => {
        readAnswer(answer).then(resolve, reject);
      });
      asking.on("timeout", () => asking.destroy(new Error("Arcada says nothing")));
      asking.on("error", reject);
      if (!body) return void asking.end();
      // An answer may come before the whole body has gone: what becomes of the rest is nobody's error then.
      pipeline(Readable.from(body.pieces()), asking, (error) => error && reject(error));
    });
  const call = async <C extends (typeof deviceCalls)["hello"] | (typeof deviceCalls)["worklist"]>(
    row: C,
    input: Input<C>,
  ): Promise<Output<C>> => {
    const given = Object.entries(input).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    const path = row.method === "GET" ? `${row.path}?${new URLSearchParams(given)}` : row.path;
    const { status, text, headers } = await ask(row.method, path, row.method === "POST" ? jsonBody(input) : undefined);
    const said = envelope.safeParse(parsed(text));
    if (status !== 200 || !said.success || said.data.code !== successCode)
      throw new CloudRefused(status, said.data ?? {}, headers["retry-after"]);
    return row.output.parse(said.data.data) as Output<C>;
  };
  return {
    hello: (input) => call(deviceCalls.hello, input),
    worklist: (query) => call(deviceCalls.worklist, query),
    store: async (batch) => {
      const { status, text, headers } = await ask("POST", "/dicomweb/studies", filesBody(batch));
      const answer = stored.safeParse(parsed(text));
      // PS3.18 table 10.5.3-1: of a 409 all have failed, of a 202 some.
      if (![200, 202, 409].includes(status) || !answer.success)
        throw new CloudRefused(status, envelope.safeParse(parsed(text)).data ?? {}, headers["retry-after"]);
      return answer.data;
    },
    close: () => agent.destroy(),
  };
}

interface Answer {
  status: number;
  text: string;
  headers: IncomingMessage["headers"];
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

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};
const envelope = z.object({ code: z.number(), msg: z.string().catch(""), data: z.unknown() });

const first = <T extends z.ZodType>(value: T) => z.object({ Value: z.tuple([value], z.unknown()) });
const row = z.object({ "00081155": first(z.string()).optional(), "00081197": first(z.number()).optional() });
const rows = z.object({ Value: z.array(row).default([]) }).optional();
/** PS3.18 I.2.2: what was kept, and what was not. */
const stored = z
  .object({ "00081198": rows, "00081199": rows })
  .refine((answer) => answer["00081198"] !== undefined || answer["00081199"] !== undefined)
  .transform((answer): Stored => {
    const uidOf = (one: z.output<typeof row>): string | undefined => one["00081155"]?.Value[0];
    const reasonOf = (one: z.output<typeof row>): number => one["00081197"]?.Value[0] ?? 0x0110;
    const refused = answer["00081198"]?.Value ?? [];
    const named = refused.flatMap((one) => {
      const uid = uidOf(one);
      return uid === undefined ? [] : [[uid, reasonOf(one)] as const];
    });
    return {
      kept: new Set((answer["00081199"]?.Value ?? []).flatMap((one) => uidOf(one) ?? [])),
      failed: new Map(named),
      nameless: refused.filter((one) => uidOf(one) === undefined).map(reasonOf),
    };
  });

interface Body {
  type: string;
  bytes: number;
  accept?: string;
  pieces(): Iterable<Buffer> | AsyncIterable<Buffer>;
}
function jsonBody(value: unknown): Body {
  const bytes = Buffer.from(JSON.stringify(value));
  return { type: "application/json", bytes: bytes.length, pieces: () => [bytes] };
}

/** Nobody who made a file knew the boundary: no file can end its part. */
function filesBody(batch: readonly Waiting[]): Body {
  const boundary = randomUUID();
  const before = Buffer.from(`--${boundary}\r\nContent-Type: application/dicom\r\n\r\n`);
  const between = Buffer.from("\r\n");
  const after = Buffer.from(`--${boundary}--\r\n`);
  const each = before.length + between.length;
  return {
    type: `multipart/related; type="application/dicom"; boundary=${boundary}`,
    accept: "application/dicom+json",
    bytes: batch.reduce((sum, { bytes }) => sum + bytes + each, after.length),
    pieces: async function* () {
      for (const { path } of batch) {
        yield before;
        yield* createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
        yield between;
      }
      yield after;
    },
  };
}
