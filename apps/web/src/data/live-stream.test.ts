import { describe, expect, it } from "vitest";
import { createEventReader } from "./live-stream.ts";

const read = (...pieces: string[]) => {
  const events: unknown[] = [];
  const take = createEventReader((event) => events.push(event));
  pieces.forEach(take);
  return events;
};

describe("the live stream", () => {
  it("reads an event however it was split in transit", () => {
    const text = ': open\n\ndata: {"topic":"order","id":"7"}\n\n: beat\n\ndata: {"topic":"notice","id":"8"}\n\n';
    const whole = [
      { topic: "order", id: "7" },
      { topic: "notice", id: "8" },
    ];
    expect(read(text)).toEqual(whole);
    expect(read(...text)).toEqual(whole);
    expect(read(text.replaceAll("\n", "\r\n"))).toEqual(whole);
  });
  it("reports that everything may have changed after the server missed events", () => {
    expect(read("event: again\ndata: {}\n\n")).toEqual([{}]);
  });
  it("ignores unknown data and an incomplete event at the end", () => {
    expect(read('data: {"topic":"weather"}\n\ndata: nonsense\n\ndata: {"topic":"order"')).toEqual([]);
  });
});
