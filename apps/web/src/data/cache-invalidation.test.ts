import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createCacheInvalidation, storeAnswer } from "./cache-invalidation.ts";
import { present } from "@arcada/testing/require-present";

const paths = ["counts", "looks", "pins", "list", "detail", "ended"].map((name) => `/v1/order/${name}`);

const ended = "/v1/order/ended";

/** A page that shows all of it, and what it asks for, in that order; `answer` lets the first that waits go on. */
async function page() {
  const client = new QueryClient();
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const answer = () => waiting.splice(0).forEach((go) => go());
  for (const [word, path] of [...paths.map((one) => ["order", one]), ["notice", "/v1/notice/query"]])
    new QueryObserver(client, {
      queryKey: [word, path, {}],
      queryFn: () => {
        asked.push(present(path.split("/").at(-1)));
        return new Promise<number>((resolve) => waiting.push(() => resolve(0)));
      },
    }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  answer();
  await vi.advanceTimersByTimeAsync(0);
  asked.length = 0;
  return { ...createCacheInvalidation(client, (key) => key[1] === ended), asked, answer };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("cache invalidation", () => {
  it("refetches the main content first, then the rest of the page, and never the user's own views", async () => {
    const { onLiveEvent: heard, asked, answer } = await page();
    heard("order");
    heard("notice");
    await vi.advanceTimersByTimeAsync(100);
    expect(asked).toEqual(["list", "detail"]);
    answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(asked.slice(2).toSorted()).toEqual(["counts", "pins", "query"]);
  });

  it("does not wait for main content that does not arrive", async () => {
    const { onLiveEvent: heard, asked } = await page();
    heard("order");
    await vi.advanceTimersByTimeAsync(500);
    expect(asked.slice(2)).toEqual(["counts", "pins"]);
  });

  it("refetches at once if no order is being refetched", async () => {
    const { onLiveEvent: heard, asked } = await page();
    heard("notice");
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual(["query"]);
  });

  it("refetches once after a command, whether or not the live stream reports it", async () => {
    const { onLiveEvent: heard, onCommand: changed, asked, answer } = await page();
    changed("order");
    heard("order");
    answer();
    await vi.advanceTimersByTimeAsync(0);
    answer();
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked.filter((one) => one === "detail")).toHaveLength(1);
    expect(asked).toContain("looks");
    answer();
    asked.length = 0;
    changed("order");
    await vi.advanceTimersByTimeAsync(200);
    expect(asked.filter((one) => one === "detail")).toHaveLength(1);
  });

  it.each([
    ["shown", "an event", true],
    ["only prefetched", "an event", false],
    ["shown", "a gap in the events", true],
  ] as const)("refetches a query that is %s if its first answer was on its way during %s", async (_, what, isShown) => {
    const { client, setServerValue, answer, shown } = firstFetch(isShown);
    const { onLiveEvent, onMissedEvents } = createCacheInvalidation(client, () => false);
    setServerValue("new");
    if (what === "an event") onLiveEvent("notice");
    else onMissedEvents();
    await answer();
    await answer();
    expect(await shown()).toBe("new");
  });

  it.each([
    ["again if an event came while it was on its way", true, "new"],
    ["not again without an event", false, "old"],
  ] as const)("fetches an answer that another part of the page stores, %s", async (_, hasEvent, shown) => {
    const client = new QueryClient();
    const queryKey = ["study", "/v1/study/marks", { id: "1" }];
    const header = new QueryObserver(client, {
      queryKey,
      queryFn: async () => "new",
      enabled: ({ state }) => state.data !== undefined,
      staleTime: Infinity,
    });
    header.subscribe(() => {});
    if (hasEvent) createCacheInvalidation(client, () => false).onLiveEvent("study");
    await vi.advanceTimersByTimeAsync(0);
    storeAnswer(client, queryKey, "old");
    await vi.advanceTimersByTimeAsync(0);
    expect(header.getCurrentResult().data).toBe(shown);
  });
});

/** A query whose first fetch was answered by the server before an event, and is still on its way. */
function firstFetch(isShown: boolean) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 20_000 } } });
  let serverValue = "old";
  const responses: (() => void)[] = [];
  const queryFn = () => {
    const read = serverValue;
    return new Promise<string>((resolve) => responses.push(() => resolve(read)));
  };
  const query = { queryKey: ["notice", "/v1/notice/groups", {}], queryFn };
  const observer = new QueryObserver(client, query);
  if (isShown) observer.subscribe(() => {});
  else void client.prefetchQuery(query);
  const answer = async () => {
    await vi.advanceTimersByTimeAsync(0);
    responses.splice(0).forEach((send) => send());
    await vi.advanceTimersByTimeAsync(0);
  };
  return {
    client,
    setServerValue: (value: string) => void (serverValue = value),
    answer,
    shown: async () => {
      if (!isShown) observer.subscribe(() => {});
      await answer();
      return observer.getCurrentResult().data;
    },
  };
}
