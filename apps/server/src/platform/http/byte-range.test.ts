import { describe, expect, it } from "vitest";
import { parseRange } from "./byte-range.ts";

describe("a Range header", () => {
  it.each([
    ["bytes=0-0", { start: 0, end: 0 }],
    ["bytes=10-19", { start: 10, end: 19 }],
    ["bytes=90-", { start: 90, end: 99 }],
    ["bytes=90-1000", { start: 90, end: 99 }],
    ["bytes=-10", { start: 90, end: 99 }],
    ["bytes=-1000", { start: 0, end: 99 }],
    ["BYTES=5-6", { start: 5, end: 6 }],
  ])("%s of 100 bytes is a part", (header, part) => {
    expect(parseRange(header, 100)).toEqual(part);
  });
  it.each(["bytes=100-", "bytes=100-200", "bytes=-0"])("%s of 100 bytes does not exist", (header) => {
    expect(parseRange(header, 100)).toBe("none");
  });
  it.each([undefined, "", "bytes=-", "bytes=a-b", "bytes=20-10", "bytes=0-1,5-6", "lines=0-1"])(
    "%s is answered with the whole file",
    (header) => {
      expect(parseRange(header, 100)).toBe("whole");
    },
  );
  it("has nothing to give from an empty file", () => {
    expect(parseRange("bytes=0-", 0)).toBe("none");
    expect(parseRange("bytes=-5", 0)).toBe("none");
  });
});
