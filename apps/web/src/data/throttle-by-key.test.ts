import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { throttleByKey } from "./throttle-by-key.ts";

describe("what follows others' news", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is asked for at once, then once for all that came within the time, and for each word by itself", () => {
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
    // Nothing that came is left out, and nothing is asked for that did not come.
    expect(asked.filter((word) => word === "patient")).toHaveLength(7);
    ask("patient");
    expect(asked.at(-1)).toBe("patient");
  });
});
