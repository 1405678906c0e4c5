import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { throttleByKey } from "./throttle-by-key.ts";

describe("work throttled by key", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("runs at once, then once for all requests within the interval, separately for each key", () => {
    const asked: string[] = [];
    const ask = throttleByKey(10_000, (word: string) => asked.push(word));
    for (let second = 0; second < 60; second++) {
      ask("patient");
      vi.advanceTimersByTime(1000);
    }
    expect(asked).toHaveLength(7);
    ask("storage");
    expect(asked.at(-1)).toBe("storage");
    vi.advanceTimersByTime(60_000);
    // Every request is covered, and nothing runs without a request.
    expect(asked.filter((word) => word === "patient")).toHaveLength(7);
    ask("patient");
    expect(asked.at(-1)).toBe("patient");
  });
});
