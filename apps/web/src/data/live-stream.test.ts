import { describe, expect, it } from "vitest";
import { createEventReader } from "./live-stream.ts";

const read = (...pieces: string[]) => {
  const events: unknown[] = [];
  const take = createEventReader((event) => events.push(event));
  pieces.forEach(take);
  return events;
};

describe("the live stream", () => {
  it("gives an event however it was cut on its way", () => {
    const text = ': open\n\ndata: {"topic":"order","id":"7"}\n\n: beat\n\ndata: {"topic":"notice","id":"8"}\n\n';
    const whole = [
      { topic: "order", id: "7" },
      { topic: "notice", id: "8" },
    ];
    expect(read(text)).toEqual(whole);
    expect(read(...text)).toEqual(whole);
    expect(read(text.replaceAll("\n", "\r\n"))).toEqual(whole);
  });
  it("says that everything may have changed when the server was cut off from its news", () => {
    expect(read("event: again\ndata: {}\n\n")).toEqual([{}]);
  });
  it("passes over what it does not know, and half an event at the end", () => {
    expect(read('data: {"topic":"weather"}\n\ndata: nonsense\n\ndata: {"topic":"order"')).toEqual([]);
  });
});
