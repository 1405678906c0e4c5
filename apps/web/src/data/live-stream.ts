import { liveTopics } from "@arcada/contract/notice/live-topics";
import type { LiveEvent, LiveTopic } from "@arcada/contract/notice/live-topics";
import { buildHeaders } from "./ask.ts";
import { isLocked } from "../browser/session-lock.ts";
import { refetchTopic } from "./query-client.ts";
import { readToken } from "../browser/session-token.ts";

/** A missing topic means that the stream was interrupted for a while, so anything may have changed. */
type LiveUpdate = Partial<LiveEvent>;

const path = "/v1/notice/stream";
/** The server sends something at least this often, in ms. A longer silence means that the connection is dead. */
const maxSilenceMs = 60_000;
const lockedWaitMs = 500;
/** The first retry, unless the server names another time. Each further one waits twice as long, up to the greatest. */
const firstRetryMs = 300;
const maxRetryMs = 30_000;
/** A stream that lasted this long, in ms, was a success: the next retry is a first one. */
const stableMs = 5_000;
/** The longest time over which a server may spread what its clients load again. */
const maxReloadMs = 30_000;

/**
 * Keeps the page in step with the server. One tab of the browser holds the stream and passes its events on; when that
 * tab closes, another one takes over. Returns a function that stops the stream.
 */
export function startLiveStream(): () => void {
  const stop = new AbortController();
  const channel = new BroadcastChannel("arcada-live");
  const applyUpdate = (news: LiveUpdate) => refetchTopic(news.topic);
  let recentUpdates: { at: number; news: LiveUpdate }[] = [];
  let isLeader = false;
  const publish = (news: LiveUpdate) => {
    applyUpdate(news);
    channel.postMessage(news);
    recentUpdates = [...recentUpdates.filter(({ at }) => at > Date.now() - replayWindowMs), { at: Date.now(), news }];
  };
  channel.addEventListener("message", ({ data }: MessageEvent<LiveUpdate | ReplayRequest>) => {
    if (!("since" in data)) applyUpdate(data);
    else if (isLeader) for (const { at, news } of recentUpdates) if (at >= data.since) channel.postMessage(news);
  });
  channel.postMessage({ since: performance.timeOrigin } satisfies ReplayRequest);
  const becomeLeader = () => {
    isLeader = true;
    return keepStreamOpen(publish, stop.signal);
  };
  // Web Locks exist only over https and on localhost; elsewhere every tab opens its own stream.
  if (navigator.locks) navigator.locks.request("arcada-live", { signal: stop.signal }, becomeLeader).catch(() => {});
  else void keepStreamOpen(applyUpdate, stop.signal);
  return () => {
    stop.abort();
    channel.close();
  };
}

/** A new tab asks for the events since it was opened; the tab that holds the stream repeats them. */
interface ReplayRequest {
  since: number;
}
const replayWindowMs = 30_000;

/** The place where the last stream ended, from which any process of the server goes on. */
interface StreamPlace {
  /** The last id that was read. */
  position: string | null;
  /** The time of the last bytes, or of the page's start, on the page's clock in ms. */
  heardAt: number;
  retryMs: number;
}

async function keepStreamOpen(publish: (news: LiveUpdate) => void, stop: AbortSignal): Promise<void> {
  const place: StreamPlace = { position: null, heardAt: 0, retryMs: firstRetryMs };
  for (let failures = 0; !stop.aborted;) {
    // While the screen is locked no event is delivered; the stream resumes at once after unlocking.
    while (isLocked() && !stop.aborted) await pause(lockedWaitMs, stop);
    const openedAt = performance.now();
    await readStream(publish, place, stop).catch(() => {});
    failures = performance.now() - openedAt > stableMs ? 0 : failures + 1;
    await pause(Math.min(maxRetryMs, place.retryMs * 2 ** Math.max(0, failures - 1)), stop);
  }
}

async function readStream(publish: (news: LiveUpdate) => void, place: StreamPlace, stop: AbortSignal): Promise<void> {
  const token = readToken();
  if (!token) return;
  const silenceAbort = new AbortController();
  let timer = setTimeout(() => silenceAbort.abort(), maxSilenceMs);
  const resetSilenceTimer = (alive: boolean) => {
    clearTimeout(timer);
    if (alive) timer = setTimeout(() => silenceAbort.abort(), maxSilenceMs);
  };
  try {
    const response = await fetch(`${path}?ago=${Math.ceil(performance.now() - place.heardAt)}`, {
      headers: { ...buildHeaders(token), ...(place.position !== null && { "last-event-id": place.position }) },
      signal: AbortSignal.any([stop, silenceAbort.signal]),
    });
    const isEventStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!response.ok || !response.body || !isEventStream) return;
    const readChunk = createEventReader({
      onUpdate: publish,
      onReload: (withinMs) => void setTimeout(() => publish({}), Math.random() * withinMs),
      onPosition: (position) => void (place.position = position),
      onRetry: (retryMs) => void (place.retryMs = retryMs),
    });
    for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
      resetSilenceTimer(true);
      readChunk(bytes);
      place.heardAt = performance.now();
    }
  } finally {
    resetSilenceTimer(false);
  }
}

interface EventHandlers {
  onUpdate: (news: LiveUpdate) => void;
  /** Events were missed: everything is to be loaded again, at any moment within this time, which spreads the load. */
  onReload: (withinMs: number) => void;
  /** The events up to this id have been read. */
  onPosition: (id: string) => void;
  onRetry: (ms: number) => void;
}

/**
 * Parses the text of an event stream, in chunks of any size. Events that arrive together are reported once for each
 * topic, because one refetch answers them all: the first chunk of a new page may repeat a dozen.
 */
export function createEventReader(handlers: EventHandlers): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const blocks = (rest + chunk).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop() ?? "";
    const reported = new Set<unknown>();
    const onUpdate = (news: LiveUpdate) => {
      if (reported.has(news.topic)) return;
      reported.add(news.topic);
      handlers.onUpdate(news);
    };
    for (const block of blocks) readBlock(block, { ...handlers, onUpdate });
  };
}

function readBlock(block: string, { onUpdate, onReload, onPosition, onRetry }: EventHandlers): void {
  const lines = block.split("\n");
  const field = (name: string): string[] =>
    lines.flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).trim()] : []));
  const data = field("data").length > 0 ? parseData(field("data").join("\n")) : null;
  if (field("event").includes("again")) onReload(toMilliseconds(data?.withinMs, maxReloadMs) ?? 0);
  else if (isLiveTopic(data?.topic)) onUpdate({ topic: data.topic, id: String(data.id ?? "") });
  const retryMs = toMilliseconds(Number(field("retry")[0]), maxRetryMs);
  if (retryMs !== null) onRetry(retryMs);
  const position = field("id").at(-1);
  // Only now: an event that was not read must be sent again.
  if (position) onPosition(position);
}

function parseData(text: string): (Partial<LiveEvent> & { withinMs?: number }) | null {
  try {
    return JSON.parse(text) as Partial<LiveEvent> | null;
  } catch {
    return null;
  }
}
const toMilliseconds = (value: unknown, most: number): number | null =>
  typeof value === "number" && value >= 0 ? Math.min(value, most) : null;

const isLiveTopic = (topic: unknown): topic is LiveTopic => (liveTopics as readonly unknown[]).includes(topic);

const pause = (milliseconds: number, stop: AbortSignal): Promise<void> =>
  new Promise((resume) => {
    const timer = setTimeout(done, milliseconds * (0.75 + Math.random() / 2));
    function done() {
      clearTimeout(timer);
      removeEventListener("online", done);
      stop.removeEventListener("abort", done);
      resume();
    }
    addEventListener("online", done);
    stop.addEventListener("abort", done);
  });
