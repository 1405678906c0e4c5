import { expect, it } from "vitest";
import { buildThread, splitMentions } from "./order-thread.ts";

const message = (id: string, time: string) => ({ id, time, who: "Li", mine: true, text: id, mentions: [] });
const event = (id: string, time: string, action: "requestInfo" | "supplyInfo" | "accept") => ({
  id,
  time,
  action,
  from: "pending" as const,
  to: "pending" as const,
  who: "Li",
  side: "receiver" as const,
  text: id,
  revision: null,
});

it("a thread has questions and answers between the messages, in the order of time", () => {
  const thread = buildThread({
    mine: "sender",
    messages: [message("m1", "2026-11-28T10:00:00Z"), message("m2", "2026-11-28T12:00:00Z")],
    events: [
      event("e1", "2026-11-28T09:00:00Z", "accept"),
      event("q", "2026-11-28T11:00:00Z", "requestInfo"),
      event("a", "2026-11-28T13:00:00Z", "supplyInfo"),
    ],
  });
  expect(thread.map(({ id, kind, mine }) => [id, kind, mine])).toEqual([
    ["m1", "message", true],
    ["q", "question", false],
    ["m2", "message", true],
    ["a", "answer", false],
  ]);
});

it("a mention is the whole name, also if another name begins with it", () => {
  const parts = splitMentions("ask @Li Wei (not @Li) about 10% @nobody", ["Li", "Li Wei"]);
  expect(parts.filter(({ isMention }) => isMention).map(({ text }) => text)).toEqual(["@Li Wei", "@Li"]);
  expect(parts.map(({ text }) => text).join("")).toBe("ask @Li Wei (not @Li) about 10% @nobody");
});
