import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { LiveEvent } from "@arcada/contract/notice/live-topics";
import type { Principal } from "../http/request-context.ts";
import type { Live } from "./live-notifications.ts";
import { refuse } from "../http/refuse.ts";
import type { Authenticate } from "../http/serve-calls.ts";

interface Stream {
  principal: Principal;
  raw: ServerResponse;
  /** The time since which it is skipped because it does not read, or null. */
  stalledSince: number | null;
}
interface StreamParts {
  live: Live;
  authenticate: Authenticate;
  /** Returns those of these sessions that are still valid. */
  findValidSessions: (sessions: string[]) => Promise<{ has(session: string): boolean }>;
}

const heartbeatMs = 15_000;
// Together with the query's own time, the streams of a session that ends are closed within a second.
const checkMs = 500;
/**
 * The most bytes that may wait for a client that does not read. Beyond that, the client is skipped, and requests
 * everything when it reads again.
 */
const maxBufferedBytes = 256 * 1024;
const maxStalledMs = 30_000;
// The page's request for its data may have reached this server sooner than its request to subscribe.
const replayMarginMs = 5000;
/** The limit of streams of one person in one process. A browser needs one, or one for each tab. */
export const maxStreams = 50;
/** The limit of streams of one institution in one process: each event of the institution is written to all of them. */
export const maxInstitutionStreams = 1000;

let openStreams = 0;
/** Streams that are open in this process. */
export const countOpenStreams = (): number => openStreams;

/**
 * GET /v1/notice/stream: server-sent events, read by fetch so that the token is sent in its header. `ago`: the page
 * began to read its data this many milliseconds ago; events since then are sent first.
 */
export function serveLive(app: FastifyInstance, { live, authenticate, findValidSessions }: StreamParts): void {
  const streams = new Set<Stream>();
  app.get<{ Querystring: { ago?: string } }>("/v1/notice/stream", async (request, reply) => {
    const principal = (await authenticate(request, reply, "stays")) ?? refuse("unknownSession");
    if (hasTooManyStreams(streams, principal)) refuse("tooManyRequests");
    reply.hijack();
    const ago = Number(request.query.ago);
    open(streams, live, { principal, raw: reply.raw, stalledSince: null }, ago >= 0 ? ago + replayMarginMs : 0);
    return reply;
  });
  const heartbeat = setInterval(() => streams.forEach(sendHeartbeat), heartbeatMs);
  const check = setInterval(() => void endInvalidStreams(streams, findValidSessions), checkMs);
  // Open streams would hold up a graceful close; their clients reconnect to another process.
  app.addHook("preClose", async () => {
    clearInterval(heartbeat);
    clearInterval(check);
    for (const { raw } of streams) raw.end();
  });
}

function open(streams: Set<Stream>, live: Live, stream: Stream, ago: number): void {
  const { principal, raw } = stream;
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  raw.write(": open\n\n");
  streams.add(stream);
  openStreams += 1;
  const stop = live.listen({ principal, send: (event) => write(stream, formatFrame(event)) }, ago);
  raw.on("drain", () => {
    if (stream.stalledSince === null) return;
    stream.stalledSince = null;
    write(stream, formatFrame("again"));
  });
  raw.on("error", () => raw.destroy());
  raw.on("close", () => {
    stop();
    if (streams.delete(stream)) openStreams -= 1;
  });
}

function write(stream: Stream, text: string): void {
  const { raw, stalledSince } = stream;
  if (raw.writableEnded || raw.destroyed || stalledSince !== null) return;
  raw.write(text);
  if (raw.writableLength > maxBufferedBytes) stream.stalledSince = Date.now();
}

function sendHeartbeat(stream: Stream): void {
  if (stream.stalledSince !== null && Date.now() - stream.stalledSince > maxStalledMs) stream.raw.destroy();
  else write(stream, ": beat\n\n");
}

let lastFrame: { event: LiveEvent | "again"; text: string } | null = null;
/** All clients receive the same text of an event, so it is made once. */
function formatFrame(event: LiveEvent | "again"): string {
  if (lastFrame?.event !== event)
    lastFrame = {
      event,
      text: event === "again" ? "event: again\ndata: {}\n\n" : `data: ${JSON.stringify(event)}\n\n`,
    };
  return lastFrame.text;
}

/** True if a person, or the people of an institution together, may not open another stream in this process. */
export function hasTooManyStreams(
  streams: Iterable<{ principal: Pick<Principal, "uid" | "iid"> }>,
  { uid, iid }: Pick<Principal, "uid" | "iid">,
): boolean {
  let [own, all] = [0, 0];
  for (const { principal } of streams) {
    if (principal.uid === uid) own += 1;
    if (iid !== null && principal.iid === iid) all += 1;
  }
  return own >= maxStreams || all >= maxInstitutionStreams;
}

async function endInvalidStreams(
  streams: Set<Stream>,
  findValidSessions: StreamParts["findValidSessions"],
): Promise<void> {
  const checked = [...streams];
  if (checked.length === 0) return;
  // While the database does not answer, nobody can have been signed out either.
  const valid = await findValidSessions([...new Set(checked.map(({ principal }) => principal.sessionId))]).catch(
    () => null,
  );
  if (valid) for (const { principal, raw } of checked) if (!valid.has(principal.sessionId)) raw.end();
}
