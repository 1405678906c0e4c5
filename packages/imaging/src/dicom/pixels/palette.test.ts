import { describe, expect, it } from "vitest";
import { expandSegments } from "./palette.ts";

describe("a segmented palette", () => {
  it("unrolls discrete, linear and repeated segments", () => {
    // Two values; four more in a line up to 50; then the first two segments once again.
    const words = [0, 2, 5, 10, 1, 4, 50, 2, 2, 0, 0];
    const once = [5, 10, 20, 30, 40, 50];
    expect(expandSegments(words, 12, true)).toEqual([...once, ...once]);
  });

  it("is refused when it points at itself, has empty segments or unknown ones", () => {
    for (const words of [
      [0, 1, 5, 2, 9, 6, 0],
      [0, 0, 0, 0],
      [3, 1, 5],
    ])
      expect(() => expandSegments(words, 100, true)).toThrow(expect.objectContaining({ reason: "unsupported" }));
  });
});
