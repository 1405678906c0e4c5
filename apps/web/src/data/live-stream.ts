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
const retryDelays = [1_000, 2_000, 5_000, 10_000, 30_000];

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

async function keepStreamOpen(publish: (news: LiveUpdate) => void, stop: AbortSignal): Promise<void> {
  for (let attempts = 0, first = true; !stop.aborted; first = false) {
    // While the screen is locked no event is delivered; the stream resumes at once after unlocking.
    while (isLocked() && !stop.aborted) await pause(lockedWaitMs, stop);
    const openedAt = Date.now();
    await readStream(publish, first, stop).catch(() => {});
    attempts = Date.now() - openedAt > maxSilenceMs ? 0 : attempts + 1;
    await pause(retryDelays[Math.min(attempts, retryDelays.length) - 1] ?? retryDelays[0]!, stop);
  }
}

async function readStream(publish: (news: LiveUpdate) => void, first: boolean, stop: AbortSignal): Promise<void> {
  const token = readToken();
  if (!token) return;
  const silenceAbort = new AbortController();
  let timer = setTimeout(() => silenceAbort.abort(), maxSilenceMs);
  const resetSilenceTimer = (alive: boolean) => {
    clearTimeout(timer);
    if (alive) timer = setTimeout(() => silenceAbort.abort(), maxSilenceMs);
  };
  try {
    const address = first ? `${path}?ago=${Math.ceil(performance.now())}` : path;
    const response = await fetch(address, {
      headers: buildHeaders(token),
      signal: AbortSignal.any([stop, silenceAbort.signal]),
    });
    const isEventStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!response.ok || !response.body || !isEventStream) return;
    if (!first) publish({});
    const readChunk = createEventReader(publish);
    for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
      resetSilenceTimer(true);
      readChunk(bytes);
    }
  } finally {
    resetSilenceTimer(false);
  }
}

/** Parses the text of an event stream, in chunks of any size, and emits our events. */
export function createEventReader(onUpdate: (news: LiveUpdate) => void): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const blocks = (rest + chunk).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event) onUpdate(event);
    }
  };
}

function parseEvent(block: string): LiveUpdate | null {
  const blockLines = block.split("\n");
  const lines = blockLines.filter((line) => line.startsWith("data:"));
  if (lines.length === 0) return null;
  // The server lost its own source of events for a moment.
  if (blockLines.includes("event: again")) return {};
  try {
    const event = JSON.parse(lines.map((line) => line.slice(5).trim()).join("\n")) as Partial<LiveEvent>;
    return isLiveTopic(event.topic) ? { topic: event.topic, id: String(event.id ?? "") } : null;
  } catch {
    return null;
  }
}

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
