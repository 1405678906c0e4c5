import { liveTopics } from "@arcada/contract/notice/notice.calls";
import type { LiveEvent, LiveTopic } from "@arcada/contract/notice/notice.calls";
import { headersOf } from "./ask.ts";
import { isLocked } from "./locked.ts";
import { refetchTopic } from "./queries.ts";
import { readToken } from "./token.ts";

/** A missing topic means that the stream was interrupted for a while, so anything may have changed. */
type News = Partial<LiveEvent>;

const path = "/v1/notice/stream";
/** The server says something at least this often; a longer silence means that the connection is dead. */
const silence = 60_000;
const lockedWait = 500;
const waits = [1_000, 2_000, 5_000, 10_000, 30_000];

/**
 * Keeps the page in step with the server. One tab of the browser holds the stream and passes its events on; when it
 * closes, another takes over. Returns a function that stops it.
 */
export function startLive(): () => void {
  const stop = new AbortController();
  const channel = new BroadcastChannel("arcada-live");
  const heard = (news: News) => refetchTopic(news.topic);
  let lately: { at: number; news: News }[] = [];
  let leads = false;
  const tell = (news: News) => {
    heard(news);
    channel.postMessage(news);
    lately = [...lately.filter(({ at }) => at > Date.now() - kept), { at: Date.now(), news }];
  };
  channel.addEventListener("message", ({ data }: MessageEvent<News | Question>) => {
    if (!("since" in data)) heard(data);
    else if (leads) for (const { at, news } of lately) if (at >= data.since) channel.postMessage(news);
  });
  channel.postMessage({ since: performance.timeOrigin } satisfies Question);
  const lead = () => {
    leads = true;
    return listen(tell, stop.signal);
  };
  // Web Locks exist only over https and on localhost; elsewhere every tab holds a stream of its own.
  if (navigator.locks) navigator.locks.request("arcada-live", { signal: stop.signal }, lead).catch(() => {});
  else void listen(heard, stop.signal);
  return () => {
    stop.abort();
    channel.close();
  };
}

/** A new tab asks for the events since it was opened; the tab that holds the stream repeats them. */
interface Question {
  since: number;
}
const kept = 30_000;

async function listen(tell: (news: News) => void, stop: AbortSignal): Promise<void> {
  for (let tries = 0, first = true; !stop.aborted; first = false) {
    // While the screen is locked no event is delivered; the stream resumes at once after unlocking.
    while (isLocked() && !stop.aborted) await pause(lockedWait, stop);
    const began = Date.now();
    await readStream(tell, first, stop).catch(() => {});
    tries = Date.now() - began > silence ? 0 : tries + 1;
    await pause(waits[Math.min(tries, waits.length) - 1] ?? waits[0]!, stop);
  }
}

async function readStream(tell: (news: News) => void, first: boolean, stop: AbortSignal): Promise<void> {
  const token = readToken();
  if (!token) return;
  const quiet = new AbortController();
  let timer = setTimeout(() => quiet.abort(), silence);
  const stayed = (alive: boolean) => {
    clearTimeout(timer);
    if (alive) timer = setTimeout(() => quiet.abort(), silence);
  };
  try {
    const asked = first ? `${path}?ago=${Math.ceil(performance.now())}` : path;
    const response = await fetch(asked, { headers: headersOf(token), signal: AbortSignal.any([stop, quiet.signal]) });
    const fresh = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!response.ok || !response.body || !fresh) return;
    if (!first) tell({});
    const take = eventReader(tell);
    for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
      stayed(true);
      take(bytes);
    }
  } finally {
    stayed(false);
  }
}

/** Parses the text of an event stream, in chunks of any size, and emits our events. */
export function eventReader(give: (news: News) => void): (piece: string) => void {
  let rest = "";
  return (piece) => {
    const blocks = (rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event) give(event);
    }
  };
}

function parseEvent(block: string): News | null {
  const said = block.split("\n");
  const lines = said.filter((line) => line.startsWith("data:"));
  if (lines.length === 0) return null;
  // The server lost its own source of events for a moment.
  if (said.includes("event: again")) return {};
  try {
    const event = JSON.parse(lines.map((line) => line.slice(5).trim()).join("\n")) as Partial<LiveEvent>;
    return isTopic(event.topic) ? { topic: event.topic, id: String(event.id ?? "") } : null;
  } catch {
    return null;
  }
}

const isTopic = (topic: unknown): topic is LiveTopic => (liveTopics as readonly unknown[]).includes(topic);

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
