import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { LiveEvent } from "@arcada/contract/notice/notice.calls";
import type { Principal } from "../http/request-context.ts";
import type { Live } from "./live-notifications.ts";
import { refuse } from "../http/refuse.ts";
import type { Authenticate } from "../http/serve.ts";

interface Stream {
  asker: Principal;
  raw: ServerResponse;
  /** The time since which it is skipped because it does not read, or null. */
  behind: number | null;
}
interface StreamParts {
  live: Live;
  authenticate: Authenticate;
  /** Returns those of these sessions that are still valid. */
  living: (sessions: string[]) => Promise<{ has(session: string): boolean }>;
}

const beatMs = 15_000;
// Together with the query's own time, the streams of a session that ends are closed within a second.
const checkMs = 500;
/**
 * The most bytes that may wait for a client that does not read. Beyond that, the client is skipped, and requests
 * everything when it reads again.
 */
const mostWaiting = 256 * 1024;
const mostPatience = 30_000;
// The page's request for its data may have reached this server sooner than its request to subscribe.
const margin = 5000;
/** The limit of streams of one person in one process. A browser needs one, or one for each tab. */
export const mostStreams = 50;

let openHere = 0;
/** Streams that are open in this process. */
export const streamsHere = (): number => openHere;

/**
 * GET /v1/notice/stream: server-sent events, read by fetch so that the token is sent in its header. `ago`: the page
 * began to read its data this many milliseconds ago; events since then are sent first.
 */
export function serveLive(app: FastifyInstance, { live, authenticate, living }: StreamParts): void {
  const streams = new Set<Stream>();
  app.get<{ Querystring: { ago?: string } }>("/v1/notice/stream", async (request, reply) => {
    const asker = (await authenticate(request, reply, "stays")) ?? refuse("unknownSession");
    if (count(streams, asker.uid) >= mostStreams) refuse("tooManyRequests");
    reply.hijack();
    const ago = Number(request.query.ago);
    open(streams, live, { asker, raw: reply.raw, behind: null }, ago >= 0 ? ago + margin : 0);
    return reply;
  });
  const beat = setInterval(() => streams.forEach(beatOn), beatMs);
  const check = setInterval(() => void endDead(streams, living), checkMs);
  // Open streams would hold up a graceful close; their clients reconnect to another process.
  app.addHook("preClose", async () => {
    clearInterval(beat);
    clearInterval(check);
    for (const { raw } of streams) raw.end();
  });
}

function open(streams: Set<Stream>, live: Live, stream: Stream, ago: number): void {
  const { asker, raw } = stream;
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  raw.write(": open\n\n");
  streams.add(stream);
  openHere += 1;
  const stop = live.listen({ asker, send: (event) => write(stream, frameOf(event)) }, ago);
  raw.on("drain", () => {
    if (stream.behind === null) return;
    stream.behind = null;
    write(stream, frameOf("again"));
  });
  raw.on("error", () => raw.destroy());
  raw.on("close", () => {
    stop();
    if (streams.delete(stream)) openHere -= 1;
  });
}

function write(stream: Stream, text: string): void {
  const { raw, behind } = stream;
  if (raw.writableEnded || raw.destroyed || behind !== null) return;
  raw.write(text);
  if (raw.writableLength > mostWaiting) stream.behind = Date.now();
}

function beatOn(stream: Stream): void {
  if (stream.behind !== null && Date.now() - stream.behind > mostPatience) stream.raw.destroy();
  else write(stream, ": beat\n\n");
}

let framed: { event: LiveEvent | "again"; text: string } | null = null;
/** All clients receive the same text of an event, so it is made once. */
function frameOf(event: LiveEvent | "again"): string {
  if (framed?.event !== event)
    framed = {
      event,
      text: event === "again" ? "event: again\ndata: {}\n\n" : `data: ${JSON.stringify(event)}\n\n`,
    };
  return framed.text;
}

const count = (streams: Set<Stream>, uid: string): number => {
  let found = 0;
  for (const { asker } of streams) if (asker.uid === uid) found += 1;
  return found;
};

async function endDead(streams: Set<Stream>, living: StreamParts["living"]): Promise<void> {
  const asked = [...streams];
  if (asked.length === 0) return;
  // While the database does not answer, nobody can have been signed out either.
  const alive = await living([...new Set(asked.map(({ asker }) => asker.sessionId))]).catch(() => null);
  if (alive) for (const { asker, raw } of asked) if (!alive.has(asker.sessionId)) raw.end();
}
