import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { LiveEvent } from "@arcada/contract/notice/live-topics";
import type { Principal } from "../http/request-context.ts";
import type { Live, MissedSince, Subscription } from "./live-notifications.ts";
import { isPosition } from "./live-position.ts";
import { refuse } from "../http/refuse.ts";
import { returnMemory } from "../runtime/garbage-collection.ts";
import type { Authenticate } from "../http/serve-calls.ts";

interface Stream {
  principal: Principal;
  raw: ServerResponse;
  /** Present once the missed events were replayed. */
  subscription?: Subscription;
  /** The time since which it is skipped because it does not read, or null. */
  stalledSince: number | null;
  /** The time at which its session is checked next, by the clock of `performance`. */
  checkAt: number;
}
interface StreamQuery {
  Querystring: { ago?: string };
}
type StreamRequest = Pick<FastifyRequest<StreamQuery>, "headers" | "query">;
interface StreamParts {
  live: Live;
  authenticate: Authenticate;
  /** Returns those of these sessions that are still valid, and when they will lapse. */
  findValidSessions: (sessions: string[]) => Promise<ReadonlyMap<string, { secondsLeft: number }>>;
}

const heartbeatMs = 15_000;
// Together with the query's own time, the streams of a session that ends are closed within a second.
const checkMs = 500;
/** Every session is checked at least this often, should it have ended in a way that no trigger of the database noticed. */
const fullCheckMs = 60_000;
/**
 * The most bytes that may wait for a client that does not read. Beyond that, the client is skipped, and requests
 * everything when it reads again.
 */
const maxBufferedBytes = 256 * 1024;
const maxStalledMs = 30_000;
// The page's request for its data may have reached this server sooner than its request to subscribe.
const replayMarginMs = 5000;
/** A client whose process died comes back after about this time. */
const firstRetryMs = 300;
/** The streams of a process that died come back spread over this time for each of them. */
const retryMsPerStream = 0.05;
/** After a gap, clients request everything spread over this time for each stream, and over ten seconds at most. */
const reloadMsPerStream = 1;
const maxReloadMs = 10_000;
/** The limit of streams of one person in one process. A browser needs one, or one for each tab. */
export const maxStreams = 50;
/** The limit of streams of one institution in one process: each event of the institution is written to all of them. */
export const maxInstitutionStreams = 1000;

/**
 * The memory of at least so many streams is returned to the system when only few are left, this time later, and not again
 * for some time: who opens and closes many streams must not stop the process often.
 */
const manyStreams = 1000;
const fewStreams = 100;
const leavingMs = 5000;
const betweenReturnsMs = 600_000;

let openStreams = 0;
/** The most that were open at once since memory was returned. */
let mostStreams = 0;
/** Streams that are open in this process. */
export const countOpenStreams = (): number => openStreams;

/**
 * GET /v1/notice/stream: server-sent events, read by fetch so that the token is sent in its header. A client that comes
 * back names the last id that it read (`last-event-id`), and first receives the events behind it from whichever process
 * answers. A new page has no id: it began to read its data `ago` milliseconds ago. Where the events are not complete,
 * the client is told to load everything `again`. The ids of heartbeats keep the place of a client without events.
 */
export function serveLive(app: FastifyInstance, { live, authenticate, findValidSessions }: StreamParts): void {
  const streams = new Set<Stream>();
  const counts = new StreamCounts();
  // A response to HEAD has no body, which would be written to the connection in spite of it.
  app.get<StreamQuery>("/v1/notice/stream", { exposeHeadRoute: false }, async (request, reply) => {
    const principal = (await authenticate(request, reply, "stays")) ?? refuse("unknownSession");
    if (counts.isFull(principal)) refuse("tooManyRequests");
    reply.hijack();
    // A client that left meanwhile closes no more: its stream would be kept for ever.
    if (reply.raw.destroyed) return reply;
    counts.add(principal, 1);
    reply.raw.once("close", () => counts.add(principal, -1));
    open(streams, live, { principal, raw: reply.raw, stalledSince: null, checkAt: 0 }, readMissedSince(request));
    return reply;
  });
  const heartbeat = setInterval(() => {
    for (const stream of streams) sendHeartbeat(stream);
  }, heartbeatMs);
  live.observeSessions((uid) => {
    for (const stream of streams) if (uid === null || stream.principal.uid === uid) stream.checkAt = 0;
  });
  const check = setInterval(() => void endInvalidStreams(streams, findValidSessions), checkMs);
  // Open streams would hold up a graceful close; their clients reconnect to another process.
  app.addHook("preClose", async () => {
    clearInterval(heartbeat);
    clearInterval(check);
    // Their memory goes with the process.
    mostStreams = 0;
    for (const { raw } of streams) raw.end();
  });
}

function readMissedSince({ headers, query }: StreamRequest): MissedSince | undefined {
  const position = headers["last-event-id"];
  // An id that is none of ours is not found either, and the client loads everything.
  if (position !== undefined) return { position: isPosition(position) ? position : "" };
  const ago = Number(query.ago);
  return ago >= 0 ? { ago: ago + replayMarginMs } : undefined;
}

function open(streams: Set<Stream>, live: Live, stream: Stream, since: MissedSince | undefined): void {
  const { principal, raw } = stream;
  // The stream ends with its connection. In chunks, every event would be three pieces to write for each client.
  raw.removeHeader("transfer-encoding");
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    connection: "close",
  });
  raw.write(`retry: ${drawRetryMs()}\n: open\n\n`);
  streams.add(stream);
  openStreams += 1;
  mostStreams = Math.max(mostStreams, openStreams);
  const subscription = live.listen({ principal, send: (event, at) => write(stream, formatFrame(event, at)) }, since);
  stream.subscription = subscription;
  // A client without events needs a place, too. It comes behind the replayed events, and is that of the last or newer.
  write(stream, `id: ${subscription.position()}\n\n`);
  raw.on("error", () => raw.destroy());
  raw.on("close", () => {
    subscription.stop();
    if (streams.delete(stream)) openStreams -= 1;
    returnMemoryOfMany();
  });
}

let afterLeaving: NodeJS.Timeout | undefined;
let returnedAt = 0;
/**
 * Returns the memory of many streams to the system when almost all have left. While many are open the process keeps it:
 * it needs it for those that come, and the pause would be noticed.
 */
function returnMemoryOfMany(): void {
  const haveLeft = () => mostStreams >= manyStreams && openStreams <= fewStreams;
  if (!haveLeft()) return;
  afterLeaving ??= setTimeout(
    () => {
      afterLeaving = undefined;
      if (!haveLeft()) return;
      mostStreams = openStreams;
      returnedAt = Date.now();
      returnMemory();
    },
    Math.max(leavingMs, returnedAt + betweenReturnsMs - Date.now()),
  ).unref();
}

/**
 * Writes to the connection itself: without chunks that is the same, and takes a quarter less of the processor's time. A
 * response has no connection yet while its client waits for the answer of an earlier request on it.
 */
function write(stream: Stream, frame: string | Buffer): void {
  const { raw, stalledSince } = stream;
  if (raw.writableEnded || raw.destroyed || stalledSince !== null) return;
  const target = raw.socket ?? raw;
  target.write(frame);
  if (raw.writableLength <= maxBufferedBytes) return;
  stream.stalledSince = Date.now();
  target.once("drain", () => {
    stream.stalledSince = null;
    write(stream, formatFrame("again", stream.subscription?.position() ?? ""));
  });
}

function sendHeartbeat(stream: Stream): void {
  if (stream.stalledSince !== null && Date.now() - stream.stalledSince > maxStalledMs) stream.raw.destroy();
  else write(stream, `${stream.subscription ? `id: ${stream.subscription.position()}\n` : ""}: beat\n\n`);
}

/** Draws the retry of one stream: all that lose their process at once must not come back at once. */
const drawRetryMs = (): number => Math.round((firstRetryMs + retryMsPerStream * openStreams) * (0.5 + Math.random()));

let lastFrame: { position: string; event: LiveEvent | "again"; bytes: Buffer } | null = null;
/** All clients receive the same bytes of an event, so they are made once. */
function formatFrame(event: LiveEvent | "again", position: string): Buffer {
  if (lastFrame?.event !== event || lastFrame.position !== position)
    lastFrame = { position, event, bytes: Buffer.from(`id: ${position}\n${formatEvent(event)}\n\n`) };
  return lastFrame.bytes;
}
const formatEvent = (event: LiveEvent | "again"): string =>
  event === "again"
    ? `event: again\ndata: ${JSON.stringify({ withinMs: Math.min(maxReloadMs, Math.round(reloadMsPerStream * openStreams)) })}`
    : `data: ${JSON.stringify(event)}`;

type Owner = Pick<Principal, "uid" | "iid">;
/** The numbers of streams that persons and institutions have open in this process. */
export class StreamCounts {
  readonly #counts = new Map<string, number>();
  add({ uid, iid }: Owner, by: 1 | -1): void {
    for (const key of iid === null ? [uid] : [uid, iid]) {
      const count = (this.#counts.get(key) ?? 0) + by;
      if (count === 0) this.#counts.delete(key);
      else this.#counts.set(key, count);
    }
  }
  /** True if a person, or the people of an institution together, may not open another stream in this process. */
  isFull({ uid, iid }: Owner): boolean {
    const count = (key: string | null): number => (key === null ? 0 : (this.#counts.get(key) ?? 0));
    return count(uid) >= maxStreams || count(iid) >= maxInstitutionStreams;
  }
}

/**
 * Checks the sessions that may have ended since they were checked: those of new streams, those of people whom the
 * database named, and those that lapse about now.
 */
async function endInvalidStreams(
  streams: ReadonlySet<Stream>,
  findValidSessions: StreamParts["findValidSessions"],
): Promise<void> {
  const now = performance.now();
  const due = [...streams].filter(({ checkAt }) => checkAt <= now);
  if (due.length === 0) return;
  // A session that changes while the query runs is due again: it is set back to 0 meanwhile.
  const next = now + fullCheckMs;
  for (const stream of due) stream.checkAt = next;
  const sessions = new Set(due.map(({ principal }) => principal.sessionId));
  // While the database does not answer, nobody can have been signed out either.
  const valid = await findValidSessions([...sessions]).catch(() => null);
  for (const stream of due) {
    const session = valid?.get(stream.principal.sessionId);
    if (valid && !session) stream.raw.end();
    else if (stream.checkAt === next) stream.checkAt = session ? Math.min(next, now + 1000 * session.secondsLeft) : 0;
  }
}
