import { expect, it } from "vitest";
import { findGap, segmentNumber, segmentNumberAt } from "./wal-segments.ts";

it.each([
  ["0/3000028", "000000010000000000000003"],
  ["0/FF000000", "0000000100000000000000FF"],
  ["1/0", "000000070000000100000000"],
  ["A/12345678", "000000010000000A00000012"],
])("the position %s is in the segment %s", (position, name) => {
  expect(segmentNumberAt(position)).toBe(segmentNumber(name));
});

it.each([
  ["none is missing", ["0000000100000000000000FE", "0000000100000000000000FF", "000000010000000100000000"], null],
  ["the middle one is missing", ["0000000100000000000000FE", "000000010000000100000000"], 255n],
  ["the first one is missing", ["0000000100000000000000FF"], 254n],
  ["the archive is empty", [], null],
])("when %s, the gap is found", (_, names, gap) => {
  expect(findGap(254n, names)).toBe(gap);
});
