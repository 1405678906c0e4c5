import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createEventReader, startLiveStream } from "./live-stream.ts";

vi.mock("../browser/session-token.ts", () => ({ readToken: () => "a-token" }));
vi.mock("../browser/session-lock.ts", () => ({ isLocked: () => false }));
vi.mock("./ask.ts", () => ({ buildHeaders: (token: string) => ({ token }) }));
vi.mock("./query-client.ts", () => ({ refetchTopic: () => {} }));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const read = (...pieces: string[]) => {
  const [events, places]: [unknown[], unknown[]] = [[], []];
  const take = createEventReader({
    onUpdate: (event) => events.push(event),
    onReload: (withinMs) => events.push({ withinMs }),
    onPosition: (id) => places.push(id),
    onRetry: (ms) => places.push(ms),
  });
  pieces.forEach(take);
  return { events, places };
};

describe("the live stream", () => {
  it("reads an event however it was split in transit", () => {
    const text = ': open\n\ndata: {"topic":"order","id":"7"}\n\n: beat\n\ndata: {"topic":"notice","id":"8"}\n\n';
    const whole = [
      { topic: "order", id: "7" },
      { topic: "notice", id: "8" },
    ];
    expect(read(text).events).toEqual(whole);
    expect(read(...text).events).toEqual(whole);
    expect(read(text.replaceAll("\n", "\r\n")).events).toEqual(whole);
  });
  it("reports events that arrive together once for each topic, and later ones again", () => {
    const event = (topic: string, id: number) => `data: {"topic":"${topic}","id":"${id}"}\n\n`;
    const together = event("study", 1) + event("study", 2) + event("analysis", 3) + event("study", 4);
    expect(read(together, event("study", 5)).events).toEqual([
      { topic: "study", id: "1" },
      { topic: "analysis", id: "3" },
      { topic: "study", id: "5" },
    ]);
  });
  it("reports that everything may have changed after the server missed events, and over which time to spread that", () => {
    expect(read("event: again\ndata: {}\n\n").events).toEqual([{ withinMs: 0 }]);
    expect(read('event: again\ndata: {"withinMs":800}\n\n').events).toEqual([{ withinMs: 800 }]);
  });
  it("ignores unknown data and an incomplete event at the end", () => {
    expect(read('data: {"topic":"weather"}\n\ndata: nonsense\n\ndata: {"topic":"order"').events).toEqual([]);
  });
  it("knows its place by the ids of complete events and of heartbeats, and the server's time of a retry", () => {
    const text =
      'retry: 420\n: open\n\nid: a\ndata: {"topic":"order","id":"7"}\n\nid: b\n: beat\n\nid: c\ndata: {"topic"';
    expect(read(text).places).toEqual([420, "a", "b"]);
  });
});

describe("a page whose stream breaks", () => {
  it("comes back after about 300 ms with its place, and at ever longer intervals while nobody answers", async () => {
    const { requests, breakStream, closeServer } = servePage();
    const stop = startLiveStream();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(requests).toHaveLength(1);
    breakStream();
    await vi.advanceTimersByTimeAsync(500);
    expect(requests.map(({ position }) => position)).toEqual([undefined, "place-1"]);
    closeServer();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests.length).toBeGreaterThan(6);
    expect(requests.length).toBeLessThan(14);
    const waits = requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0));
    expect(Math.max(...waits.slice(-3))).toBeGreaterThan(5_000);
    stop();
  });
});

/** A page with a server that answers with a stream that lasts until it is broken. */
function servePage() {
  const requests: { at: number; position: string | undefined }[] = [];
  let breakStream = () => {};
  let isClosed = false;
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("BroadcastChannel", FakeChannel);
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
  vi.stubGlobal("fetch", async (_: string, { headers }: { headers: Record<string, string> }) => {
    requests.push({ at: performance.now(), position: headers["last-event-id"] });
    if (isClosed) throw new TypeError("nobody answers");
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`id: place-${requests.length}\n: open\n\n`));
        breakStream = () => controller.error(new TypeError("broken"));
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  return {
    requests,
    breakStream: () => breakStream(),
    closeServer: () => {
      isClosed = true;
      breakStream();
    },
  };
}
class FakeChannel extends EventTarget {
  postMessage(): void {}
  close(): void {}
}
