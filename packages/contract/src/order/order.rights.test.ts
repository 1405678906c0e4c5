import { expect, it } from "vitest";
import { orderStates } from "./order.cycle.ts";
import { receiverRights } from "./order.rights.ts";

const states = (holds: (state: (typeof orderStates)[number]) => boolean) => orderStates.filter(holds);

it("shows a receiver nothing before the hand-over and only the line once an order was cancelled or refused", () => {
  expect(states((state) => receiverRights[state].reads === "nothing")).toEqual(["draft", "awaiting_sending"]);
  expect(states((state) => receiverRights[state].reads === "header")).toEqual(["cancelled", "refused"]);
});

it("gives originals only to a receiver who reads the order, and not the volumes before it accepts", () => {
  expect(
    states((state) => receiverRights[state].downloads !== "none" && receiverRights[state].reads !== "all"),
  ).toEqual([]);
  expect(states((state) => receiverRights[state].downloads === "plain")).toEqual(["pending"]);
  expect(states((state) => receiverRights[state].downloads === "forTime")).toEqual(["completed"]);
});

it("opens the chat from the hand-over to the end and keeps it readable after", () => {
  expect(states((state) => receiverRights[state].chat === "closed")).toEqual(["draft", "awaiting_sending"]);
  expect(states((state) => receiverRights[state].chat === "readOnly")).toEqual(["cancelled", "refused"]);
  expect(states((state) => receiverRights[state].chat === "forTime")).toEqual(["completed"]);
});
